"""Runs code with the compiled loops or with those in numpy."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from unittest.mock import patch

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.loops import _numpy

FUNCTIONS = tuple(_numpy.__all__)
# Where the package was installed without a compiler, there is only one; in CI, that is a failure.
HAS_COMPILED = loops.IMPLEMENTATION == "cython" or os.environ.get("CI") == "true"
IMPLEMENTATIONS = ("cython", "numpy") if HAS_COMPILED else ("numpy",)


@contextmanager
def using_loops(implementation: str) -> Iterator[None]:
    """Replace the functions of ``loops`` by those of one implementation."""
    module = import_module(f"scrapy_cetr.extraction.loops._{implementation}")
    with patch.multiple(loops, **{name: getattr(module, name) for name in FUNCTIONS}):
        yield
