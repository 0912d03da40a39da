"""Adapt autodoc to the classes of scrapy-cetr.

The class body of Article says ``title = LazyAttribute[str | None](None)``: autodoc would show the
value None and no type. Here the type goes into the annotations, and the value is removed.

Classes are shown without the arguments of their constructors, except named tuples: Scrapy makes the
components, and extract() makes articles.
"""

from __future__ import annotations

from typing import Any, get_args

from scrapy_cetr.extraction.article import LAZY, Article


def setup(app: Any) -> dict[str, bool]:
    """Prepare the classes before Sphinx documents them."""
    for name, attribute in LAZY.items():
        (kind,) = get_args(attribute.__orig_class__)  # type: ignore[attr-defined]
        Article.__annotations__[name] = kind
        delattr(Article, name)
    app.connect("autodoc-process-signature", _without_constructor)
    return {"parallel_read_safe": True}


def _without_constructor(
    _app: Any, what: str, _name: str, documented: Any, *_: Any
) -> tuple[str, None] | None:
    return ("", None) if what == "class" and not issubclass(documented, tuple) else None
