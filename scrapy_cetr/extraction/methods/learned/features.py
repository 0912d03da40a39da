"""The features of rows: the numbers that the learned method knows of each row of a page.

They are the signals of the papers: tag ratios and their smoothed forms, link density, words of the
title, the share of the page's text in an element. They describe the row itself, the containers
around it and the page. No feature depends on a language: characters are counted by kind.

To add a feature, add its name and its value to a group, or add a group to the tuples below, and do
the same in loops/_features.pxi, which has to give the same numbers. The weights then have to be
trained again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Indices
from scrapy_cetr.extraction.elements import ELEMENT_CODES
from scrapy_cetr.extraction.methods.learned.article_features import (
    branch_features,
    first_text_features,
)
from scrapy_cetr.extraction.methods.learned.container_features import (
    DESCRIBED_LEVELS,
    container_features,
    page_features,
)
from scrapy_cetr.extraction.methods.learned.feature_groups import (
    Group,
    Matrix,
    feature_names,
    write_features,
)
from scrapy_cetr.extraction.methods.learned.measurements import (
    LEVELS,
    SURROUNDINGS,
    RowMeasurements,
    measure_rows,
)
from scrapy_cetr.extraction.methods.learned.row_features import (
    BEGINNING_KINDS,
    ELEMENT_KIND,
    ELEMENT_KINDS,
    ENDING_KINDS,
    FAR,
    ROW_CODES,
    apart_features,
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
from scrapy_cetr.extraction.page.class_hints import CLASS_HINTS
from scrapy_cetr.extraction.page.page import Page
from scrapy_cetr.extraction.page.row_texts import RowTexts

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
    apart_features,
    branch_features,
    first_text_features,
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
    texts: RowTexts
    of_rows: Matrix
    of_page: Matrix
    declared_body: str
    containers: Indices


# The same for the compiled features.
TABLES = loops.FeatureTables(
    beginnings=BEGINNING_KINDS.ravel(),
    endings=ENDING_KINDS.ravel(),
    elements=ROW_CODES.ravel(),
    element_kind=ELEMENT_KIND,
    element_kinds=ELEMENT_KINDS,
    hints=len(CLASS_HINTS),
    surroundings=len(SURROUNDINGS),
    levels=np.array(DESCRIBED_LEVELS),
    title_levels=LEVELS,
    far=FAR,
    paragraph=ELEMENT_CODES["p"],
    h1=ELEMENT_CODES["h1"],
)


def find_features(page: Page) -> Features:
    """Compute the features of each row that has text."""
    rows = page.text_rows
    of_rows = np.empty((len(NAMES), len(rows)), np.float32)
    of_page = np.zeros(len(PAGE_NAMES), np.float32)
    if not len(rows):
        return Features(rows, page.row_texts, of_rows, of_page, "", rows)
    measured = measure_rows(page)
    loops.row_features(measured, TABLES, of_rows, _write_row_groups)
    write_features(PAGE_GROUPS, measured, of_page)
    declared, containers = page.declared_body, measured.tree.of_row
    return Features(rows, measured.texts, of_rows, of_page, declared, containers)


def _write_row_groups(measured: RowMeasurements, out: Matrix) -> None:
    write_features(ROW_GROUPS, measured, out)
