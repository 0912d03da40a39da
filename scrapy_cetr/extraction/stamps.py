"""The attribute in which the HTML of a page has what a browser shows of its elements."""

from __future__ import annotations

import re

STAMP = "data-cetr"

# A stamp as the browser writes it, after the other attributes; text has no bare ">".
_WRITTEN = re.compile(rf' {STAMP}="[-\w. ]{{1,99}}">')


# The stamp of the page is in its first tag, as a browser writes it.
_ROOT, _LONGEST_PROLOGUE, _LONGEST_ROOT = "<html", 100_000, 20_000


def has_stamps(html: str) -> bool:
    """Tell whether a page may have stamps. Searching its beginning is quicker than all of it.

    >>> has_stamps('<html data-cetr="1 800 600 800 600">'), has_stamps("<p data-cetr='0 0 9 9'>")
    (True, False)
    """
    root = html.find(_ROOT, 0, _LONGEST_PROLOGUE)
    return root >= 0 and html.find(STAMP, root, root + _LONGEST_ROOT) >= 0


def without_stamps(html: str) -> str:
    """Remove the stamps from the HTML of a page.

    >>> without_stamps('<p class="a" data-cetr="0 0 9 9">data-cetr</p>')
    '<p class="a">data-cetr</p>'
    """
    return _WRITTEN.sub(">", html) if STAMP in html else html
