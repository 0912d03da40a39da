"""Benchmarks of reliability: ``python -m benchmarks.reliability --help``.

The hostile pages, servers and spiders are those of the tests, in ``testkit``.
"""
