"""Compare whole extractions with those of other extractors, on sites that the network has not seen.

``python -m training CORPORA --folds FOLDER`` writes networks that have not seen a fold of the
sites. Each page is extracted by the one that has not seen its site, with hidden text, roles and all
other steps of an extraction, and with the parts that its corpus has by convention.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np

from benchmarks.accuracy import Score, judge, words
from benchmarks.contenders import Contender, extractor, find_peer
from benchmarks.conventions import with_parts
from benchmarks.corpus import Page, read_pages
from benchmarks.document import write_table
from benchmarks.parallel import map_in_processes
from benchmarks.table import ABSENT, Table, as_markdown
from scrapy_cetr.extraction.columns import Floats
from scrapy_cetr.extraction.options import FAVORS
from training.conventions import in_comments
from training.examples import NOT_ARTICLES, make_example, site_of
from training.folds import network_path, read_folds
from training.progress import progress

# Articles by the number of words of their gold texts.
LENGTHS = {"under 150 words": (1, 150), "150 to 599": (150, 600), "600 and more": (600, 1 << 40)}
# A language with fewer pages is not listed.
MIN_PAGES = 20


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A page and its scores: of each favour, and of each peer after them.

    ``comment_words`` is the number of words that are kept, not in the gold text, but in comments.
    """

    corpus: str
    type: str | None
    language: str | None
    gold: int
    scores: tuple[Score, ...]
    comment_words: int


def judge_page(source: tuple[str, Page], *, folder: Path, peers: Sequence[str]) -> Judged:
    """Extract a page of the named corpus by the network that has not seen its site."""
    corpus, page = source
    model = str(network_path(folder, read_folds(folder)[site_of(page)]))
    favors = [Contender("learned", (("model", model), ("favor", favor))) for favor in FAVORS]
    contenders = [*with_parts(favors, corpus), *map(find_peer, peers)]
    scores = judge(page, contenders=contenders).scores
    kept = words(extractor(contenders[0])(page.html))
    return Judged(
        corpus=corpus,
        type=page.type,
        language=page.language and page.language.partition("-")[0].lower(),
        gold=scores[0].gold,
        scores=scores,
        comment_words=((kept - words(page.text)) & _words_of_comments(source)).total(),
    )


def _words_of_comments(source: tuple[str, Page]) -> Counter[str]:
    """Count the words of rows in comments, which are recognised with the gold text in mind."""
    example = make_example(source)
    texts, rows = example.features.texts, np.flatnonzero(in_comments(example)).tolist()
    return words("\n".join(texts[row] for row in rows))


def groups_of_corpora(judged: Sequence[Judged]) -> Iterator[tuple[str, list[Judged]]]:
    """Yield each corpus, and its articles alone if it also has other pages."""
    for corpus in sorted({page.corpus for page in judged}):
        pages = [page for page in judged if page.corpus == corpus]
        articles = [page for page in pages if page.type == "article"]
        yield corpus, pages
        if any(page.type in NOT_ARTICLES for page in pages) and articles:
            yield f"{corpus}, articles", articles


def groups_of_articles(judged: Sequence[Judged]) -> Iterator[tuple[str, list[Judged]]]:
    """Yield the articles of each length, and those of each language with enough pages."""
    articles = [page for page in judged if page.type == "article"]
    for name, (least, most) in LENGTHS.items():
        yield name, [page for page in articles if least <= page.gold < most]
    for language in sorted({page.language for page in articles if page.language}):
        pages = [page for page in articles if page.language == language]
        if len(pages) >= MIN_PAGES:
            yield f"language {language}", pages


def f1_table(groups: Mapping[str, Sequence[Judged]], peers: Sequence[str]) -> Table:
    """Show the F1 of all contenders, and how far the default is ahead of the best peer.

    The last column is the mean difference of the pages and its standard error.
    """
    headers = ("", "pages", *FAVORS, *peers, "ahead of the best")
    return Table(headers, [_f1_row(name, pages) for name, pages in groups.items() if pages], 1)


def _f1_row(name: str, pages: Sequence[Judged]) -> list[str]:
    f1 = np.array([[score.f1 for score in page.scores] for page in pages])
    means = f1.mean(0)
    ahead = ABSENT
    if len(means) > len(FAVORS):
        best = len(FAVORS) + int(means[len(FAVORS) :].argmax())
        ahead = _with_error(f1[:, 0] - f1[:, best])
    return [name, str(len(pages)), _with_error(f1[:, 0]), *map(_decimal, means[1:]), ahead]


def details_table(groups: Mapping[str, Sequence[Judged]]) -> Table:
    """Show precision, recall, the shares kept of both ends, and the share of comments."""
    rows = []
    for name, pages in groups.items():
        scores = [page.scores[0] for page in pages]
        means = np.mean([(score.precision, score.recall) for score in scores], axis=0)
        ends = [score.ends for score in scores if score.ends]
        kept = map(_decimal, np.mean(ends, axis=0)) if ends else (ABSENT, ABSENT)
        words = sum(score.kept for score in scores)
        comments = sum(page.comment_words for page in pages) / max(words, 1)
        rows.append([name, *map(_decimal, means), *kept, f"{comments:.2%}"])
    return Table(("", "precision", "recall", "first ¶", "last ¶", "comments"), rows, 1)


def _with_error(values: Floats) -> str:
    return f"{_decimal(values.mean())} ± {_decimal(values.std() / np.sqrt(len(values)))}"


def _decimal(number: float) -> str:
    return f"{number:.3f}"


def main() -> None:
    """Extract all pages, and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m training.held_out", description=__doc__)
    parser.add_argument("folder", type=Path, help="the networks of python -m training --folds")
    parser.add_argument("corpora", nargs="+", type=Path, help="JSON-lines files with gold text")
    parser.add_argument("--peers", nargs="*", default=[], help="extractors to compare with")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--limit", type=int, help="use only the first pages of each corpus")
    parser.add_argument("--into", type=Path, help="Markdown file with a section for the tables")
    arguments = parser.parse_args()
    paths = {path.name.partition(".")[0]: path for path in arguments.corpora}
    pages = [
        (corpus, page)
        for corpus, path in paths.items()
        for page in islice(read_pages(path), arguments.limit)
    ]
    extract = partial(judge_page, folder=arguments.folder, peers=tuple(arguments.peers))
    done = map_in_processes(extract, pages, jobs=arguments.jobs)
    judged = list(progress(done, total=len(pages), name="pages"))
    of_corpora, of_articles = dict(groups_of_corpora(judged)), dict(groups_of_articles(judged))
    tables = {
        "held out": f1_table(of_corpora, arguments.peers),
        "held out, details": details_table(of_corpora),
        "held out, articles": f1_table(of_articles, arguments.peers),
    }
    for name, table in tables.items():
        sys.stdout.write(f"{as_markdown(table)}\n\n")
        if arguments.into:
            write_table(arguments.into, name, table)


if __name__ == "__main__":
    main()
