"""Feature groups: their names, their order in the matrix, and the check of their height."""

import numpy as np
import pytest

from scrapy_cetr.extraction.columns import Floats
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.methods.learned.feature_groups import (
    FeatureGroup,
    Group,
    container_feature_group,
    feature_group,
    feature_names,
    write_features,
)
from scrapy_cetr.extraction.methods.learned.features import (
    NAMES,
    PAGE_GROUPS,
    PAGE_NAMES,
    ROW_GROUPS,
)
from scrapy_cetr.extraction.methods.learned.measurements import (
    RowMeasurements,
    measure_rows,
)


def measure(html: str) -> RowMeasurements:
    page = read(html, rows="blocks", with_class_names=True)
    return measure_rows(page)


def test_feature_names_are_unique() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert len(set(PAGE_NAMES)) == len(PAGE_NAMES)
    with pytest.raises(ValueError, match="features share a name: position"):
        feature_names([*ROW_GROUPS, FeatureGroup(("position",), lengths.compute)])


@feature_group("row length", "double row length")
def lengths(measured: RowMeasurements) -> Floats:
    return np.array((measured.chars, 2 * measured.chars))


@container_feature_group("first row", "last row", levels=(1, 0))
def container_rows(measured: RowMeasurements) -> Floats:
    return np.array((measured.tree.first_row, measured.tree.last_row), np.float32)


def test_groups_are_written_in_the_order_of_their_names() -> None:
    measured = measure("<p>one<div><p>four")
    groups = (lengths, container_rows)
    names = feature_names(groups)
    values = np.empty((len(names), 2), np.float32)
    write_features(groups, measured, values)
    # The first row is in the page, the second in a <div> in the page.
    assert dict(zip(names, values.tolist(), strict=True)) == {
        "row length": [3, 4],
        "double row length": [6, 8],
        "first row of container 1": [0, 0],
        "first row of container 0": [0, 1],
        "last row of container 1": [2, 2],
        "last row of container 0": [2, 2],
    }


def test_group_with_another_number_of_values_than_names_is_an_error() -> None:
    measured = measure("<p>one")
    with pytest.raises(ValueError, match=r"lengths computes 2 features.* 1 names: row length"):
        FeatureGroup(("row length",), lengths.compute).write(measured, np.empty((1, 1), np.float32))
    group = container_feature_group("first row", "last row", "x", levels=(0,))
    with pytest.raises(ValueError, match=r"computes 2 features.* 3 names: first row, last row, x"):
        group(container_rows.compute).write(measured, np.empty((3, 1), np.float32))


@pytest.mark.parametrize("groups", [ROW_GROUPS, PAGE_GROUPS])
def test_every_group_computes_as_many_features_as_it_names(
    groups: tuple[Group, ...],
) -> None:
    measured = measure("<title>Rain</title><h1>Rain</h1><p>It rained.")
    for group in groups:
        declared = getattr(group, "container_names", group.names)
        assert len(group.compute(measured)) == len(declared)
