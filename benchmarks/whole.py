"""The time of a whole article, with metadata and formats, compared with its text alone."""

from collections.abc import Callable, Sequence
from statistics import fmean
from time import perf_counter

from benchmarks.corpus import Corpus, Page
from benchmarks.progress import progress
from benchmarks.table import Table
from scrapy_cetr.extraction import Article, extract

HEADERS = ("corpus", "parts", "ms/page", "times the text")


def _blocks(article: Article) -> None:
    article.blocks  # noqa: B018


def _metadata(article: Article) -> None:
    article.sources  # noqa: B018


def _html(article: Article) -> None:
    article.html  # noqa: B018


def _markdown(article: Article) -> None:
    article.markdown  # noqa: B018


PARTS: Sequence[tuple[str, Sequence[Callable[[Article], None]]]] = (
    ("text", ()),
    ("text, blocks", (_blocks,)),
    ("text, metadata", (_metadata,)),
    ("text, Markdown", (_markdown,)),
    ("text, metadata, Markdown, HTML", (_metadata, _markdown, _html)),
)


def time_page(page: Page, parts: Sequence[Callable[[Article], None]], *, repeat: int) -> float:
    """Return the seconds of the fastest run, which is the least disturbed by other processes."""
    runs = []
    for _ in range(repeat):
        start = perf_counter()
        article = extract(page.html, url=page.url)
        for read in parts:
            read(article)
        runs.append(perf_counter() - start)
    return min(runs)


def whole_rows(corpus: Corpus, *, repeat: int, force_progress: bool = False) -> list[list[str]]:
    """Measure the text and the other parts on all pages of a corpus."""
    pages = progress(
        corpus.pages(), total=len(corpus.chosen), name=corpus.name, force=force_progress
    )
    seconds = [[time_page(page, parts, repeat=repeat) for _, parts in PARTS] for page in pages]
    means = [fmean(column) for column in zip(*seconds, strict=True)]
    return [
        [corpus.name, name, f"{1000 * mean:.2f}", f"{mean / means[0]:.2f}"]
        for (name, _), mean in zip(PARTS, means, strict=True)
    ]


def whole_table(rows: Sequence[Sequence[str]]) -> Table:
    """Make the table of all corpora."""
    return Table(HEADERS, rows, name_columns=2)
