"""CPU time of calls, for tests that something takes linear or little time on any page.

Work of other processes makes a call slower, also in its CPU time. What takes too long by itself
does so each time. So a call is repeated before a test fails.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import TypeVar

Result = TypeVar("Result")

_TRIES = 4
# For pages of four times the size. A quadratic call would take 16 times as long.
_MOST = 8
# Shorter times are not measured exactly enough.
_SHORT = 0.002


def cpu_seconds(call: Callable[[], object]) -> float:
    """Return the CPU time of a call."""
    begin = process_time()
    call()
    return process_time() - begin


def in_time(seconds: float, call: Callable[[], Result]) -> Result:
    """Return the result of a call; fail if it takes more than this CPU time, each time."""
    taken = []
    for _ in range(_TRIES):
        begin = process_time()
        result = call()
        taken.append(process_time() - begin)
        if taken[-1] <= seconds:
            return result
    raise AssertionError(f"took {min(taken):.2f} s of CPU time, not at most {seconds} s")


def grows_linearly(call: Callable[[int], object], *, size: int, short: float = _SHORT) -> bool:
    """Tell whether a call for four times the size takes about four times as long.

    Calls that take less than ``short`` seconds are not compared.
    """
    smalls, larges = [], []
    for _ in range(_TRIES):
        smalls.append(cpu_seconds(lambda: call(size)))
        larges.append(cpu_seconds(lambda: call(4 * size)))
        if min(larges) <= max(_MOST * min(smalls), short):
            return True
    return False
