"""Measures how well, how fast and with how much memory pages become article text.

Run ``python -m benchmarks accuracy``, ``speed`` or ``growth``, with ``--help`` for what each takes.
"""
