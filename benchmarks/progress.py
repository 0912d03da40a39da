"""The progress bar, on standard error."""

from collections.abc import Iterable
from typing import TypeVar

from benchmarks.errors import BenchmarkError

Step = TypeVar("Step")


def progress(
    steps: Iterable[Step], *, total: int, name: str, force: bool = False
) -> Iterable[Step]:
    """Show a progress bar if standard error is a terminal, or if forced."""
    try:
        from tqdm import tqdm
    except ImportError as error:
        raise BenchmarkError(
            f"tqdm cannot be imported ({error}); install it: pip install 'scrapy-cetr[benchmarks]'"
        ) from error
    return tqdm(steps, total=total, desc=name, unit="page", disable=False if force else None)
