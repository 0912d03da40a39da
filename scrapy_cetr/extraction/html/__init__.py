"""Decode and read HTML into a Page."""
