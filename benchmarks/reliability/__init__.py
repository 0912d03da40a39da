"""What the promise of reliability is measured by: ``python -m benchmarks.reliability --help``.

The pages, servers and spiders are those of the tests, so that both speak of the same.
"""
