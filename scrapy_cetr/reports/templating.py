"""Self-contained HTML pages out of the files in templates/, which nothing can break out of."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

_PLACE = re.compile(r"\{\{(\w+)\}\}")
# What could end a <script> or begin a comment in it is written as JSON writes any character.
_UNSAFE = {ord(char): f"\\u{ord(char):04x}" for char in "<>&"}


def template(name: str) -> str:
    """Read a file of templates/."""
    return files(__package__).joinpath("templates", name).read_text(encoding="utf-8")


def fill(name: str, values: Mapping[str, str], *, style: str, script: str = "") -> str:
    """Fill the places of a template with HTML, and allow its own style and script, no other."""
    policy = (
        f"default-src 'none'; style-src {_source(style)}; script-src {_source(script)};"
        " base-uri 'none'; form-action 'none'"
    )
    everything = {**values, "style": style, "script": script, "policy": policy}
    # In one go, so that nothing that is put in is looked at for places again.
    return _PLACE.sub(lambda place: everything[place[1]], template(name))


def _source(code: str) -> str:
    """Name a piece of code by its hash; no code is 'none'."""
    return f"'sha256-{b64encode(sha256(code.encode()).digest()).decode()}'" if code else "'none'"


def as_data(value: Any) -> str:
    r"""Write JSON that can stand in a <script> element.

    >>> as_data({"text": "</script>"})
    '{"text":"\\u003c/script\\u003e"}'
    """
    return json.dumps(value, separators=(",", ":"), allow_nan=False).translate(_UNSAFE)


def as_html(text: str) -> str:
    """Write text as HTML, also what no file could hold: lone surrogates."""
    return escape(text.encode("utf-8", "replace").decode("utf-8"))


def link(url: str | None, *, text: str | None = None) -> str:
    """Write a link to a web page; any other address is only text."""
    shown = as_html(text or url or "")
    try:
        is_web = urlsplit(url or "").scheme in ("http", "https")
    except ValueError:
        is_web = False
    if not is_web:
        return shown
    return f'<a href="{as_html(url or "")}" rel="noopener noreferrer">{shown}</a>'


def figure_list(figures: Mapping[str, str]) -> str:
    """Write names and values for a <dl> of headline figures."""
    return "".join(
        f"<div><dt>{as_html(name)}</dt><dd>{as_html(value)}</dd></div>"
        for name, value in figures.items()
    )
