"""Write the articles of the bundled site into the package, for ``python -m scrapy_cetr.tune``."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from scrapy_cetr.extraction.tuning.gold import BUNDLED
from training.site_pages import bundled_pages

TARGET = Path(__file__).parents[1] / "scrapy_cetr" / "extraction" / "tuning" / BUNDLED


def bundled_lines() -> str:
    """Return the articles as JSON lines."""
    return "".join(
        json.dumps({"url": page.url, "html": page.html, "text": page.text}, ensure_ascii=False)
        + "\n"
        for page in bundled_pages()
    )


def main() -> None:
    """Write the file."""
    # Without a time, so that the same pages give the same file.
    TARGET.write_bytes(gzip.compress(bundled_lines().encode(), mtime=0))


if __name__ == "__main__":
    main()
