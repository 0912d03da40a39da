"""A page as columns of numbers, and what is measured on them."""
