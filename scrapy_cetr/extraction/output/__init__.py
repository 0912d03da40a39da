"""Kept rows in, text, Markdown and HTML out."""
