"""Coverage-guided fuzzing of the extraction: python -m fuzz."""
