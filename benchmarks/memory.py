"""Peak memory of a function, measured in a fresh process."""

import ctypes
import gc
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import ParamSpec, TypeVar

CLEAR_REFS = Path("/proc/self/clear_refs")
STATUS = Path("/proc/self/status")
RESET_PEAK = "5"

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def in_fresh_process(
    function: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result:
    """Call a function in a new process that inherits no memory from this one."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(function, *args, **kwargs).result()


def peak_bytes(work: Callable[[], object]) -> int | None:
    """Run work; return by how many bytes the memory rose at most, or None if unknown."""
    gc.collect()
    return_freed_memory()
    before = reset_peak()
    work()
    after = read_peak()
    return None if before is None or after is None else max(0, after - before)


def return_freed_memory() -> None:
    """Return freed memory to the system; memory that work reuses would not be counted."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError, TypeError):
        # Only the GNU C library has this function.
        return


def reset_peak() -> int | None:
    """Reset the peak of this process to its current memory, and return that in bytes."""
    try:
        CLEAR_REFS.write_text(RESET_PEAK)
    except OSError:
        return None
    return read_peak()


def read_peak() -> int | None:
    """Return the highest resident memory of this process since the last reset, in bytes."""
    try:
        status = STATUS.read_text()
    except OSError:
        return None
    for line in status.splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return None
