"""See ``_numpy``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.loops.features import FeatureTables

_Measured = TypeVar("_Measured")


def row_features(
    measured: _Measured,
    tables: FeatureTables,  # noqa: ARG001
    out: NDArray[np.float32],
    by_groups: Callable[[_Measured, NDArray[np.float32]], None],
) -> None:
    """Write the features of the measured rows of a page into a matrix: features × rows.

    ``by_groups`` does the same in steps of numpy.
    """
    by_groups(measured, out)
