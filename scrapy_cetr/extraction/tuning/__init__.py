"""The adaptation of the shipped weights to the gold pages of a user."""
