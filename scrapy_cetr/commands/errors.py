"""What is wrong with a command line."""


class UsageError(Exception):
    """A mistake of the user; the message says what was given, what is accepted, what to do."""
