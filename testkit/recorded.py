"""Recorded results of the default method on the bundled pages.

``python -m testkit.recorded`` records them again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from scrapy_cetr.extraction import extract

SITE = Path(__file__).parent.parent / "example_project" / "site"
RECORD = Path(__file__).with_suffix(".json")


def extracted(path: str) -> dict[str, Any]:
    """Extract a bundled page; return the lines of its text and its probability."""
    article = extract((SITE / path.removeprefix("/")).read_bytes())
    return {"probability": round(article.probability or 0, 3), "text": article.text.split("\n")}


def bundled_pages() -> list[str]:
    """List the paths of all pages of the bundled site."""
    return sorted(f"/{page.relative_to(SITE).as_posix()}" for page in SITE.rglob("*.html"))


if __name__ == "__main__":
    found = {path: extracted(path) for path in bundled_pages()}
    RECORD.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
