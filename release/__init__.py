"""Checks of the built distributions: python -m release.check."""
