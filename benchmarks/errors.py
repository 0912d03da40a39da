"""The error for wrong arguments, files and environments."""


class BenchmarkError(Exception):
    """Says in one line what was given and what is accepted."""
