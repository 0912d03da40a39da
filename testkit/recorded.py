"""What the default method makes of the bundled pages; run this file to record it anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from scrapy_cetr.extraction import extract

SITE = Path(__file__).parent.parent / "example_project" / "site"
RECORD = Path(__file__).with_suffix(".json")


def extracted(path: str) -> dict[str, Any]:
    """Extract a bundled page: its text by lines, and how likely it is an article."""
    article = extract((SITE / path.removeprefix("/")).read_bytes())
    return {"probability": round(article.probability or 0, 3), "text": article.text.split("\n")}


def bundled_pages() -> list[str]:
    """Name all pages of the bundled site."""
    return sorted(f"/{page.relative_to(SITE).as_posix()}" for page in SITE.rglob("*.html"))


if __name__ == "__main__":
    found = {path: extracted(path) for path in bundled_pages()}
    RECORD.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
