"""The learned method."""
