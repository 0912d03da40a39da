"""The folds of sites that measurements share, and the files of networks that have not seen one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from training.examples import Example, folds_by_site

FOLDS = 4
SEED = 0


def network_path(folder: Path, fold: int) -> Path:
    """Return where the network that has not seen a fold is stored."""
    return folder / f"fold-{fold}.npz"


def sites_path(folder: Path) -> Path:
    """Return where the folds of the sites are stored, by site."""
    return folder / "sites.json"


@cache
def read_folds(folder: Path) -> dict[str, int]:
    """Read the fold of each site."""
    folds: dict[str, int] = json.loads(sites_path(folder).read_text("utf-8"))
    return folds


def write_folds(folder: Path, examples: Sequence[Example]) -> None:
    """Write the fold of each site."""
    sites_path(folder).write_text(json.dumps(fold_of_sites(examples)), encoding="utf-8")


def fold_of_sites(examples: Sequence[Example]) -> dict[str, int]:
    """Return the fold of each site."""
    folds = folds_by_site(list(examples), FOLDS, seed=SEED).tolist()
    return {example.site: fold for example, fold in zip(examples, folds, strict=True)}
