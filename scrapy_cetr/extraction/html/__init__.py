"""Markup in, Page out."""
