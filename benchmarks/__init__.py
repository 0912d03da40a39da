"""Benchmarks of scrapy-cetr: accuracy, time, memory, the cost in a crawl, and the code itself.

Each command prints one table. ``python -m benchmarks COMMAND --help`` describes its arguments.
"""
