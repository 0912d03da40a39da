"""What tests, benchmarks and fuzzing share: hostile pages, charsets, servers, faults."""
