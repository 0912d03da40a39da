"""Shared by tests, benchmarks and fuzzing: hostile pages, charsets, servers, faults, invariants."""
