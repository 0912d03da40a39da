"""The preset ``CETR_FIELDS = "zyte"``: field names and shapes of Zyte's Article."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrapy_cetr.extraction.article import Article
    from scrapy_cetr.extraction.html.details import Image
    from scrapy_cetr.extraction.metadata import Breadcrumb

# Attributes of Article by item field.
FIELDS: Mapping[str, str] = {
    "url": "url",
    "canonicalUrl": "canonical_url",
    "headline": "title",
    "datePublished": "date_published",
    "datePublishedRaw": "date_published_raw",
    "dateModified": "date_modified",
    "dateModifiedRaw": "date_modified_raw",
    "authors": "authors",
    "inLanguage": "language",
    "breadcrumbs": "breadcrumbs",
    "mainImage": "image",
    "images": "images",
    "description": "description",
    "articleBody": "text",
    "articleBodyHtml": "html",
    "metadata": "probability",
}


def _date(iso: str) -> str:
    """Add a time to a date, as the schema requires.

    >>> _date("2025-12-19")
    '2025-12-19T00:00:00'
    """
    return iso if "T" in iso else f"{iso}T00:00:00"


def _authors(names: Sequence[str]) -> list[dict[str, str]]:
    return [{"name": name, "nameRaw": name} for name in names]


def _breadcrumbs(steps: Sequence[Breadcrumb]) -> list[dict[str, str]]:
    return [{key: value for key, value in step._asdict().items() if value} for step in steps]


def _images(images: Sequence[Image]) -> list[dict[str, str]]:
    return [{"url": image.url} for image in images]


# Converters of attributes by item field. Empty attributes are not written.
SHAPES: Mapping[str, Callable[[Any], Any]] = {
    "datePublished": _date,
    "dateModified": _date,
    "authors": _authors,
    "inLanguage": lambda tag: tag.partition("-")[0].lower(),
    "breadcrumbs": _breadcrumbs,
    "mainImage": lambda url: {"url": url},
    "images": _images,
    "metadata": lambda probability: {"probability": probability},
}


def as_item(article: Article, *, url: str) -> Any:
    """Make a zyte_common_items.Article of an article; ``url`` is for articles without one."""
    import zyte_common_items

    from scrapy_cetr.extraction.attributes import as_json_value

    found = {name: getattr(article, attribute) for name, attribute in FIELDS.items()}
    shaped = {
        name: SHAPES.get(name, as_json_value)(value)
        for name, value in found.items()
        if value not in (None, "", ())
    }
    # from_dict() gives the classes of the library, but also empty lists for what is missing.
    read = zyte_common_items.Article.from_dict({"url": url, **shaped})
    return zyte_common_items.Article(
        **{"url": url, **{name: getattr(read, name) for name in shaped}}
    )


def in_class_of(item: object, field: str, value: Any) -> Any:
    """Convert a shaped value to the class of the field, if an item is a zyte_common_items.Article.

    Items of other classes, such as dict, take the value as it is.
    """
    # Without this import in the project, no item is one of its classes.
    library = sys.modules.get("zyte_common_items")
    if library is None or not isinstance(item, library.Article):
        return value
    return getattr(library.Article.from_dict({"url": "", field: value}), field)
