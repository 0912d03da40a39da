"""Groups of features: each declares the names of the features that one function computes.

The order of the groups, and of the names in each, is the order of the features in the matrix that
the network reads. The number of features is never written down: it follows from the names, and is
checked against what the function returns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.methods.learned.measurements import RowMeasurements

Matrix = NDArray[np.float32]
Compute = Callable[[RowMeasurements], NDArray[Any]]


@dataclass(frozen=True, slots=True)
class FeatureGroup:
    """Features of rows or of the page: ``compute`` returns one line for each of ``names``."""

    names: tuple[str, ...]
    compute: Compute

    def write(self, measured: RowMeasurements, out: Matrix) -> None:
        """Compute the features into their lines of the matrix: names × rows, or names."""
        values = self.compute(measured)
        _check_height(self.compute, values, self.names)
        out[:] = values


@dataclass(frozen=True, slots=True)
class ContainerFeatureGroup:
    """Features of the containers around a row.

    ``compute`` returns a matrix of ``container_names`` × containers. Each row gets the features of
    its containers at ``levels``, zero being the innermost.
    """

    names: tuple[str, ...]
    container_names: tuple[str, ...]
    levels: tuple[int, ...]
    compute: Compute

    def write(self, measured: RowMeasurements, out: Matrix) -> None:
        """Compute the features into their lines of the matrix: names × rows."""
        values = self.compute(measured)
        _check_height(self.compute, values, self.container_names)
        by_level = out.reshape(len(self.container_names), len(self.levels), -1)
        # Most of the matrix is written here, so it is not copied.
        values.take(measured.around[list(self.levels)], axis=1, out=by_level, mode="clip")


Group = FeatureGroup | ContainerFeatureGroup


def feature_group(*names: str) -> Callable[[Compute], FeatureGroup]:
    """Make a group of the function below, which computes the features with these names."""
    return lambda compute: FeatureGroup(names, compute)


def container_feature_group(
    *container_names: str, levels: tuple[int, ...]
) -> Callable[[Compute], ContainerFeatureGroup]:
    """Make a group of the function below, which computes these features of each container."""
    names = tuple(f"{name} of container {level}" for name in container_names for level in levels)
    return lambda compute: ContainerFeatureGroup(names, container_names, levels, compute)


def feature_names(groups: Iterable[Group]) -> tuple[str, ...]:
    """Return the names of all features, in the order of the groups."""
    names = tuple(name for group in groups for name in group.names)
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        raise ValueError(f"features share a name: {', '.join(sorted(repeated))}")
    return names


def write_features(groups: Iterable[Group], measured: RowMeasurements, out: Matrix) -> None:
    """Compute all groups into a matrix that has a line for each of their names."""
    first = 0
    for group in groups:
        last = first + len(group.names)
        group.write(measured, out[first:last])
        first = last


def _check_height(compute: Compute, values: NDArray[Any], names: Sequence[str]) -> None:
    if len(values) != len(names):
        raise ValueError(
            f"{getattr(compute, '__name__', compute)} computes {len(values)} features,"
            f" but declares {len(names)} names: {', '.join(names)}"
        )
