"""The weights file: its content, and the error if it does not fit the features."""

from collections.abc import Mapping
from dataclasses import fields
from importlib.resources import files
from io import BytesIO
from typing import Any

import numpy as np
import pytest

from scrapy_cetr.extraction.methods.learned.features import NAMES, PAGE_NAMES
from scrapy_cetr.extraction.methods.learned.network import DISTANCES
from scrapy_cetr.extraction.methods.learned.weights import (
    FEATURE_NAMES,
    WEIGHTS,
    Network,
    WeightsError,
    load_network,
    save_network,
    shipped_network,
)
from scrapy_cetr.extraction.options import FAVORS

FILE = files("scrapy_cetr.extraction.methods.learned") / WEIGHTS


def shipped_arrays() -> dict[str, Any]:
    with FILE.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


def load(arrays: Mapping[str, Any]) -> Network:
    file = BytesIO()
    np.savez(file, **arrays)
    file.seek(0)
    return load_network(file)


def load_with_names(array: str, names: tuple[str, ...]) -> Network:
    return load({**shipped_arrays(), array: np.array(names)})


def swap(names: tuple[str, ...], one: int, other: int) -> tuple[str, ...]:
    swapped = list(names)
    swapped[one], swapped[other] = names[other], names[one]
    return tuple(swapped)


def test_file_is_small_and_has_only_numbers_and_names() -> None:
    assert len(FILE.read_bytes()) < 1_000_000
    arrays = shipped_arrays()
    assert set(arrays) == {*FEATURE_NAMES, *(field.name for field in fields(Network))}
    for name, array in arrays.items():
        if name in FEATURE_NAMES:
            assert array.dtype.kind == "U"
        else:
            assert array.dtype == np.float32
            assert np.isfinite(array).all()


def test_shapes_fit_the_features() -> None:
    network = shipped_network()
    inputs = len(NAMES) + len(PAGE_NAMES)
    channels, hidden_units = network.projection_weights.shape
    assert network.feature_min.shape == network.feature_max.shape == (inputs,)
    assert (network.feature_min < network.feature_max).all()
    assert network.hidden_weights.shape == (hidden_units, inputs)
    assert network.hidden_bias.shape == (hidden_units,)
    assert network.convolution_weights.shape == (len(DISTANCES), channels, 3 * channels)
    assert network.pooling_weights.shape == (len(DISTANCES), channels, 2 * channels)
    assert network.channel_bias.shape == (len(FAVORS), len(DISTANCES) + 1, channels)
    assert network.output_weights.shape == (len(FAVORS), channels)
    assert network.threshold.shape == (len(FAVORS),)


def test_saved_network_is_loaded_unchanged() -> None:
    file = BytesIO()
    save_network(file, shipped_network())
    assert file.getvalue() == FILE.read_bytes()
    file.seek(0)
    loaded = load_network(file)
    for field in fields(Network):
        saved = getattr(shipped_network(), field.name)
        assert getattr(loaded, field.name).tobytes() == saved.tobytes()


@pytest.mark.parametrize("array", FEATURE_NAMES)
def test_dropped_feature_is_an_error(array: str) -> None:
    names = FEATURE_NAMES[array]
    with pytest.raises(WeightsError) as caught:
        load_with_names(array, names[:3] + names[4:])
    kind = array.removesuffix("_names").replace("_", " ")
    assert str(caught.value) == (
        f"weights were trained with another list of {kind}s: missing in the file: {names[3]!r};"
        " train the weights again: python -m training CORPORA"
    )


@pytest.mark.parametrize("array", FEATURE_NAMES)
def test_added_feature_is_an_error(array: str) -> None:
    names = FEATURE_NAMES[array]
    with pytest.raises(WeightsError, match=r": extra in the file: 'new'; .*python -m training"):
        load_with_names(array, (*names[:3], "new", *names[3:]))


@pytest.mark.parametrize("array", FEATURE_NAMES)
def test_swapped_features_are_an_error(array: str) -> None:
    names = FEATURE_NAMES[array]
    with pytest.raises(WeightsError) as caught:
        load_with_names(array, swap(names, 2, 5))
    assert f": moved in the file: {names[2]!r}, {names[5]!r}; " in str(caught.value)


def test_error_names_all_kinds_of_differences_and_not_too_many() -> None:
    names = (*swap(NAMES[20:], 0, 1), "new")
    with pytest.raises(WeightsError) as caught:
        load_with_names("row_feature_names", names)
    message = str(caught.value)
    assert f"{NAMES[7]!r} and 12 more; extra in the file: 'new'; moved in the file:" in message
    assert repr(NAMES[8]) not in message


def test_file_without_names_is_an_error() -> None:
    arrays = shipped_arrays()
    del arrays["row_feature_names"]
    arrays["find"] = arrays.pop("hidden_weights")
    with pytest.raises(WeightsError, match=r"'hidden_weights', 'row_feature_names'; .*'find'; "):
        load(arrays)


def test_objects_in_the_file_are_refused() -> None:
    with pytest.raises(ValueError, match="allow_pickle=False"):
        load({**shipped_arrays(), "threshold": np.array([{}])})
