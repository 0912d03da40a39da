"""See ``_numpy``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.loops.features import FeatureTables, RoleTables

_Measured = TypeVar("_Measured")
_Columns = TypeVar("_Columns")


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


def role_columns(
    source: _Measured,
    tables: RoleTables,  # noqa: ARG001
    by_steps: Callable[[_Measured], _Columns],
) -> _Columns:
    """Return the columns from which the roles of rows are derived, from those of their page.

    ``by_steps`` does the same in steps of numpy.
    """
    return by_steps(source)
