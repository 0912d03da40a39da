"""The error that a person running a benchmark can put right."""


class BenchmarkError(Exception):
    """Says in one line what was given and what would have been accepted."""
