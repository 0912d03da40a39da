"""Print the text of the articles in files: ``python -m scrapy_cetr.extraction FILE...``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from scrapy_cetr.extraction.article import extract
from scrapy_cetr.extraction.options import METHOD_NAMES, Options


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the text of each file, with its name if there are several."""
    parser = argparse.ArgumentParser(prog="python -m scrapy_cetr.extraction", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--method", choices=METHOD_NAMES, default=Options().method)
    chosen = parser.parse_args(arguments)
    for file in chosen.files:
        try:
            html = file.read_bytes()
        except OSError as error:
            parser.error(f"{file} cannot be read: {error.strerror}")
        if len(chosen.files) > 1:
            print(f"== {file}")
        print(extract(html, method=chosen.method).text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
