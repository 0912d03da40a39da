"""The features of rows: the numbers that the learned method knows of each row of a page.

They are the signals of the papers: tag ratios and their smoothed forms, link density, words of the
title, the share of the page's text in an element. They describe the row itself, the containers
around it and the page. No feature depends on a language: characters are counted by kind.

To add a feature, add its name and its value to a group, or add a group to the tuples below. The
weights then have to be trained again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrapy_cetr.extraction.columns import Indices
from scrapy_cetr.extraction.methods.learned.container_features import (
    container_features,
    page_features,
)
from scrapy_cetr.extraction.methods.learned.feature_groups import (
    Group,
    Matrix,
    feature_names,
    write_features,
)
from scrapy_cetr.extraction.methods.learned.measurements import measure_rows
from scrapy_cetr.extraction.methods.learned.row_features import (
    best_container_features,
    character_features,
    element_features,
    heading_features,
    kind_features,
    position_features,
    ratio_features,
    surrounding_features,
    text_features,
)
from scrapy_cetr.extraction.page.page import Page

ROW_GROUPS: tuple[Group, ...] = (
    character_features,
    text_features,
    ratio_features,
    position_features,
    kind_features,
    heading_features,
    best_container_features,
    element_features,
    surrounding_features,
    container_features,
)
PAGE_GROUPS: tuple[Group, ...] = (page_features,)

NAMES = feature_names(ROW_GROUPS)
PAGE_NAMES = feature_names(PAGE_GROUPS)


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """The features of a page's rows that have text, and of the page.

    ``rows`` are the indices of these rows in the page, and ``texts`` their texts. ``of_rows`` is
    NAMES × rows, ``of_page`` has one number for each of PAGE_NAMES. ``declared_body`` is the
    article text in the page's metadata, empty if there is none. ``containers`` is the number of
    the innermost container of each row.
    """

    rows: Indices
    texts: list[str]
    of_rows: Matrix
    of_page: Matrix
    declared_body: str
    containers: Indices


def find_features(page: Page) -> Features:
    """Compute the features of each row that has text."""
    rows = page.text_rows
    of_rows = np.empty((len(NAMES), len(rows)), np.float32)
    of_page = np.zeros(len(PAGE_NAMES), np.float32)
    if not len(rows):
        return Features(rows, [], of_rows, of_page, "", rows)
    measured = measure_rows(page)
    write_features(ROW_GROUPS, measured, of_rows)
    write_features(PAGE_GROUPS, measured, of_page)
    declared, containers = page.declared_body, measured.tree.of_row
    return Features(rows, measured.texts, of_rows, of_page, declared, containers)
