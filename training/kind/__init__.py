"""Training of the kinds of pages: ``python -m training.kind CORPORA``."""
