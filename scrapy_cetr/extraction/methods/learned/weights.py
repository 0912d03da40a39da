"""The weights of the network, and the file that they are stored in.

The file is a NumPy archive of float32 arrays, one for each field of Network. It also has the names
of the features that the weights were trained with, as arrays of str. They have to be the names that
the features have today: weights that meet other features would give wrong scores without an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile, ZipFile
from zlib import error as zlib_error

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.methods.learned.calibration import CALIBRATION_NAMES
from scrapy_cetr.extraction.methods.learned.features import NAMES, PAGE_NAMES

Weights = NDArray[np.float32]

WEIGHTS = "weights.npz"
# The arrays of names in the file.
FEATURE_NAMES = {
    "row_feature_names": NAMES,
    "page_feature_names": PAGE_NAMES,
    "calibration_feature_names": CALIBRATION_NAMES,
}
_RETRAIN = "train the weights again: python -m training CORPORA"
_RETUNE = "make it again with python -m scrapy_cetr.tune"
# The arrays of a larger file are not read. Those of the package have some 100 kB.
_MAX_BYTES = 50_000_000
# An error lists at most this many names of a kind.
_LISTED = 8


class WeightsError(ValueError):
    """Weights that do not fit the features."""


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """The weights of a small convolutional network.

    The shapes, with F features of a row and P of the page, H hidden units, C channels, D
    convolutions and S favours:

    - ``feature_min``, ``feature_max``: F + P, the range that features are clipped to.
    - ``hidden_weights``: H × (F + P), ``hidden_bias``: H.
    - ``projection_weights``: C × H, from hidden units to channels.
    - ``convolution_weights``: D × C × 3C, for the row before, the row and the row after.
    - ``pooling_weights``: D × C × 2C, for the mean and the maximum of each channel over the page.
    - ``channel_bias``: S × (D + 1) × C, after the projection and after each convolution.
    - ``output_weights``: S × C, ``threshold``: S, subtracted from the scores.
    - ``calibration_weights``: one for each of the calibration features, and the intercept.
    """

    feature_min: Weights
    feature_max: Weights
    hidden_weights: Weights
    hidden_bias: Weights
    projection_weights: Weights
    convolution_weights: Weights
    pooling_weights: Weights
    channel_bias: Weights
    output_weights: Weights
    threshold: Weights
    calibration_weights: Weights


@cache
def shipped_network() -> Network:
    """Load the weights that come with the package, once."""
    with (files(__package__) / WEIGHTS).open("rb") as file:
        return load_network(file)


def network_of(model: str) -> Network:
    """Return the weights of a file, or those of the package if there is no path."""
    return load_model(model) if model else shipped_network()


@lru_cache(maxsize=8)
def load_model(path: str) -> Network:
    """Load the weights of a file, once, and check them; raise WeightsError if they are no good."""
    try:
        with Path(path).open("rb") as file:
            with ZipFile(file) as archive:
                size = sum(part.file_size for part in archive.infolist())
            if size > _MAX_BYTES:
                raise WeightsError(f"it has {size:,} bytes, more than {_MAX_BYTES:,}")
            file.seek(0)
            network = load_network(file)
        _check_shapes(network, shipped_network())
    except OSError as error:
        raise WeightsError(f"{path}: cannot be read: {error.strerror or error}") from None
    except WeightsError as error:
        raise WeightsError(f"{path}: {error}") from None
    except (ValueError, KeyError, EOFError, BadZipFile, zlib_error, NotImplementedError) as error:
        raise WeightsError(f"{path}: is not a file of weights ({error}); {_RETUNE}") from None
    return network


def _check_shapes(network: Network, like: Network) -> None:
    """Refuse arrays of another shape or type, and numbers that are not finite."""
    for field in fields(Network):
        array, known = getattr(network, field.name), getattr(like, field.name)
        if array.shape != known.shape or array.dtype != known.dtype:
            raise WeightsError(
                f"{field.name} must have the shape {known.shape} and the type {known.dtype},"
                f" not {array.shape} and {array.dtype}; {_RETUNE}"
            )
        if not np.isfinite(array).all():
            raise WeightsError(f"{field.name} has numbers that are not finite; {_RETUNE}")


def load_network(file: IO[bytes]) -> Network:
    """Load weights; raise WeightsError if they were trained with other features."""
    with np.load(file, allow_pickle=False) as arrays:
        expected = {*FEATURE_NAMES, *(field.name for field in fields(Network))}
        if expected != set(arrays.files):
            differences = _differences(sorted(expected), sorted(arrays.files))
            raise WeightsError(f"weights have other arrays: {'; '.join(differences)}; {_RETRAIN}")
        for name, features in FEATURE_NAMES.items():
            _check_names(name, features, arrays[name].tolist())
        return Network(**{field.name: arrays[field.name] for field in fields(Network)})


def save_network(file: IO[bytes], network: Network) -> None:
    """Write weights, with the names of the features that they were trained with."""
    names = {name: np.array(features, np.str_) for name, features in FEATURE_NAMES.items()}
    arrays: dict[str, Any] = {**names, **asdict(network)}
    np.savez(file, **arrays)


def _check_names(name: str, features: Sequence[str], trained: Sequence[str]) -> None:
    if list(features) != list(trained):
        differences = "; ".join(_differences(features, trained))
        kind = name.removesuffix("_names").replace("_", " ")
        raise WeightsError(
            f"weights were trained with another list of {kind}s: {differences}; {_RETRAIN}"
        )


def _differences(expected: Sequence[str], found: Sequence[str]) -> Iterator[str]:
    """Say which names are missing in the file, which only the file has, and which moved."""
    both = set(expected) & set(found)
    pairs = zip(
        (name for name in expected if name in both),
        (name for name in found if name in both),
        strict=False,
    )
    kinds = {
        "missing": [name for name in expected if name not in both],
        "extra": [name for name in found if name not in both],
        "moved": [one for one, other in pairs if one != other],
    }
    for kind, names in kinds.items():
        if names:
            more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
            yield f"{kind} in the file: {', '.join(map(repr, names[:_LISTED]))}{more}"
