"""Calls a function for many values in several processes, in the order of the values."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Value = TypeVar("Value")
Result = TypeVar("Result")

VALUES_AHEAD_PER_JOB = 4


def map_in_processes(
    function: Callable[[Value], Result], values: Iterable[Value], *, jobs: int
) -> Iterator[Result]:
    """Yield the result for each value, in the order of the values; one job needs no process."""
    if jobs == 1:
        yield from map(function, values)
        return
    pending: deque[Future[Result]] = deque()
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as processes:
        for value in values:
            pending.append(processes.submit(function, value))
            # The number of waiting values is limited, as a corpus may not fit in memory.
            if len(pending) > jobs * VALUES_AHEAD_PER_JOB:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
