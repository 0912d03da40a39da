"""The 17 features of nodes (section 4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Codes, Floats, Ints
from scrapy_cetr.extraction.elements import LINK
from scrapy_cetr.extraction.methods.clg.tree import Tree, other_corners
from scrapy_cetr.extraction.methods.clg.weights import Perfect, Weights
from scrapy_cetr.extraction.page.page import Page

FEATURES = (
    *("POS_LEFT", "POS_RIGHT", "POS_TOP", "POS_BOTTOM", "POS_CENTERX", "POS_CENTERY", "POS_DIST"),
    *("AREA_SIZE", "AREA_DIST", "FONT_COLOR_POPULARITY", "FONT_SIZE", "FONT_SIZE_POPULARITY"),
    *("VISIBLE_CHAR", "TEXT_RATIO", "TAG_SCORE", "TAG_DENSITY", "LINK_DENSITY"),
)
# The logarithm of no area at all would be infinite.
_SMALLEST_AREA = 1e-6
# Images that are added up exactly, on a whole page; a page has more only to take time.
_MAX_RECTANGLES = 50_000


@dataclass(frozen=True, slots=True, eq=False)
class Measurements:
    """What the features are computed from, without anything that was learnt.

    ``relative`` are the positions and areas of ``relative_positions``, 7 × nodes, ``tag`` are the
    codes of elements, and ``others`` the features without positions, areas and TAG_SCORE.
    """

    relative: Floats
    tag: Codes
    others: Floats


def measure(page: Page, tree: Tree) -> Measurements:
    """Measure all nodes of a page."""
    others = np.concatenate((_fonts(tree), _text(tree), _densities(page, tree)))
    return Measurements(relative_positions(tree), tree.nodes.tag, others)


def adjust(measured: Measurements, weights: Weights) -> Floats:
    """Return the adjusted values of all features, features × nodes."""
    scores = np.array(weights.tag_scores)[measured.tag]
    positions = _positions(measured.relative, weights.perfect)
    others = measured.others
    return np.concatenate((positions, others[:5], scores[np.newaxis], others[5:]))


def relative_positions(tree: Tree) -> Floats:
    """Return left, right, top, bottom, both centres and the area as shares of the page."""
    left, top, right, bottom = tree.corners
    width, height = float(tree.layout.width), float(tree.layout.height)
    return np.stack(
        (
            left / width,
            right / width,
            top / height,
            bottom / height,
            (left + right) / 2 / width,
            (top + bottom) / 2 / height,
            tree.area / tree.page_area,
        )
    )


def _positions(relative: Floats, perfect: Perfect) -> Floats:
    """Compare positions and areas with those of the perfect node (4.1)."""
    best = np.array(perfect)[:, np.newaxis]
    away = relative - best
    distance = np.hypot(away[4], away[5])
    size = np.maximum(relative[6], _SMALLEST_AREA)
    area_distance = np.abs(np.log(size) - np.log(max(perfect.area, _SMALLEST_AREA)))
    return np.concatenate(
        (1 - np.abs(away[:6]), distance[np.newaxis], relative[6:], area_distance[np.newaxis])
    )


def _fonts(tree: Tree) -> Floats:
    """Weigh the characters of each node by their colour and font size (4.2).

    The popularity of a node is the average over its characters of the share that their colour, or
    size, has in the whole page: the same sum as that over colours.
    """
    layout = tree.layout
    chars = _shown_chars(tree)
    total = np.maximum(tree.sums(chars), 1)
    size = layout.font_size
    of_text = size[chars > 0] if chars.any() else np.zeros(1)
    smallest, largest = float(of_text.min()), float(of_text.max())
    relative = (size - smallest) / (largest - smallest or 1)
    values = (_share_of_page(layout.colour, chars), relative, _share_of_page(size, chars))
    return np.stack([tree.sums(chars * value) / total for value in values])


def _share_of_page(kinds: Floats | Ints, chars: Floats) -> Floats:
    """Return the share of the page's characters that are of the same kind as each node's."""
    _, kind = np.unique(kinds, return_inverse=True)
    share: Floats = np.bincount(kind, chars)[kind] / max(float(chars.sum()), 1.0)
    return share


def _shown_chars(tree: Tree) -> Floats:
    return np.where(tree.layout.is_hidden, 0, tree.layout.chars).astype(np.float64)


def _text(tree: Tree) -> Floats:
    """Return the share of the page's characters, and that of text in the area of text and images.

    The lines of a text do not overlap, so their areas are added up.
    """
    chars = _shown_chars(tree)
    share = tree.sums(chars) / max(float(chars.sum()), 1.0)
    text_area = np.where(tree.layout.is_hidden, 0, tree.layout.text_area)
    text = tree.sums(text_area.astype(np.float64))
    return np.stack((share, text / (text + _image_areas(tree) + 1)))


def _image_areas(tree: Tree) -> Floats:
    """Return the area that the images of each node cover."""
    layout = tree.layout
    images = np.flatnonzero(layout.other_is_image & (layout.other_node >= 0))
    images = images[np.argsort(layout.other_node[images], kind="stable")]
    around = layout.other_node[images]
    left, top, right, bottom = corners = other_corners(layout)[:, images]
    sizes = (right - left) * (bottom - top)
    own: Floats = np.bincount(around, sizes, len(tree.nodes)).astype(np.float64, copy=False)
    areas = tree.sums(own)
    if not 1 < len(images) <= _MAX_RECTANGLES or loops.union_area(corners) >= sizes.sum():
        return areas
    # Some overlap. Most nodes have the same images as one of their children.
    first = np.searchsorted(around, np.arange(len(tree.nodes))).tolist()
    last = np.searchsorted(around, tree.nodes.last).tolist()
    known: dict[tuple[int, int], float] = {}
    budget = _MAX_RECTANGLES
    for node, images_of_node in enumerate(zip(first, last, strict=True)):
        begin, end = images_of_node
        if end - begin > 1 and images_of_node not in known:
            budget -= end - begin
            if budget < 0:
                break
            known[images_of_node] = loops.union_area(corners[:, begin:end])
        areas[node] = known.get(images_of_node, areas[node])
    return areas


def _densities(page: Page, tree: Tree) -> Floats:
    """Return the tags per character and the links per tag (4.3).

    The first is the logarithm: the value itself is near 0 for all text, and as large as the number
    of tags for anything without text, which says nothing to a linear model.
    """
    tagged = tree.layout.tagged
    starts = np.append(0, np.cumsum(page.tags > 0))
    links = np.append(0, np.cumsum(page.tags == LINK))
    tags, numbers = (
        counts[tagged.end_tag] - counts[tagged.first_tag] for counts in (starts, links)
    )
    density = np.log(tags / (tree.sums(_shown_chars(tree)) + 1))
    return np.stack((density, numbers / (tags + 1)))
