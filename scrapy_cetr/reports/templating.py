"""Self-contained HTML files from templates/, with all values escaped."""

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

_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
# Characters that could end a <script> or start a comment in it, as JSON escapes.
_UNSAFE = {ord(char): f"\\u{ord(char):04x}" for char in "<>&"}


def template(name: str) -> str:
    """Return the content of a file in templates/."""
    return files(__package__).joinpath("templates", name).read_text(encoding="utf-8")


def fill(name: str, values: Mapping[str, str], *, style: str, script: str = "") -> str:
    """Replace the placeholders of a template by HTML.

    The content security policy allows the given style and script, and nothing else.
    """
    policy = (
        f"default-src 'none'; style-src {_source(style)}; script-src {_source(script)};"
        " base-uri 'none'; form-action 'none'"
    )
    replacements = {**values, "style": style, "script": script, "policy": policy}
    # A single pass, so that placeholders in the values are not replaced.
    return _PLACEHOLDER.sub(lambda match: replacements[match[1]], template(name))


def _source(code: str) -> str:
    """Return the policy source that allows this code: its hash, or 'none' if it is empty."""
    return f"'sha256-{b64encode(sha256(code.encode()).digest()).decode()}'" if code else "'none'"


def as_data(value: Any) -> str:
    r"""Return JSON that is safe inside a <script> element.

    >>> as_data({"text": "</script>"})
    '{"text":"\\u003c/script\\u003e"}'
    """
    return json.dumps(value, separators=(",", ":"), allow_nan=False).translate(_UNSAFE)


def as_html(text: str) -> str:
    """Escape text for HTML; lone surrogates, which cannot be encoded, become question marks."""
    return escape(text.encode("utf-8", "replace").decode("utf-8"))


def link(url: str | None, *, text: str | None = None) -> str:
    """Return a link if the URL is http or https, and escaped text otherwise."""
    shown = as_html(text or url or "")
    try:
        is_web = urlsplit(url or "").scheme in ("http", "https")
    except ValueError:
        is_web = False
    if not is_web:
        return shown
    return f'<a href="{as_html(url or "")}" rel="noopener noreferrer">{shown}</a>'


def figure_list(figures: Mapping[str, str]) -> str:
    """Return the content of a <dl> of headline figures by their captions."""
    return "".join(
        f"<div><dt>{as_html(name)}</dt><dd>{as_html(value)}</dd></div>"
        for name, value in figures.items()
    )
