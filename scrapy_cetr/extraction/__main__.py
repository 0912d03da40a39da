"""The command line: ``python -m scrapy_cetr.extraction FILE_OR_FOLDER...`` shows what is kept."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from scrapy_cetr.extraction.article import Article, extract
from scrapy_cetr.extraction.decoding import decode
from scrapy_cetr.extraction.options import METHOD_NAMES, Options
from scrapy_cetr.extraction.reader import read

_SENTENCE_END = re.compile(r"(?<=[.!?。！？؟])\s|(?<=[。！？])|\n")
_SHOWN = 60


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the article of one file, or a table of several."""
    parser = argparse.ArgumentParser(prog="python -m scrapy_cetr.extraction", description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path, metavar="FILE_OR_FOLDER")
    parser.add_argument("--method", choices=METHOD_NAMES, default=Options().method)
    chosen = parser.parse_args(arguments)
    missing = [str(path) for path in chosen.paths if not path.exists()]
    if missing:
        parser.error(f"no such file or folder: {', '.join(missing)}")
    if len(chosen.paths) == 1 and chosen.paths[0].is_file():
        print(extract(chosen.paths[0].read_bytes(), method=chosen.method).text)
        return 0
    print(f"{'page':38}{'words':>7}{'kept':>7}  first sentence")
    for path in _pages(chosen.paths):
        article = extract(path.read_bytes(), method=chosen.method)
        print(_line(path, article))
    return 0


def _pages(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(path.rglob("*.htm*")) if path.is_dir() else [path]


def _line(path: Path, article: Article) -> str:
    sentence = _SENTENCE_END.split(article.text, maxsplit=1)[0]
    on_page = read(decode(path.read_bytes()), rows="blocks").words.sum()
    return f"{'/'.join(path.parts[-2:]):38}{on_page:7}{article.words:7}  {sentence[:_SHOWN]}"


if __name__ == "__main__":
    sys.exit(main())
