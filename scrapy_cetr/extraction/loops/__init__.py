"""Loops over columns."""
