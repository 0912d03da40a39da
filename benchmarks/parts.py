"""What articles consist of: the share of each role, and whether headlines and captions are out."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.accuracy import WORD
from benchmarks.corpus import Corpus, Page
from benchmarks.parallel import map_in_processes
from benchmarks.progress import progress
from benchmarks.table import Table
from scrapy_cetr.extraction import Article, extract
from scrapy_cetr.extraction.options import DEFAULT_PARTS, ROLES

HEADERS = ("corpus", "pages", *ROLES)
PLACEMENT_HEADERS = ("corpus", "part", "pages with it", "in the text", "in the text if asked for")
# The parts that are left out by default, and are asked for one at a time.
ASKED_FOR = ("headline", "caption")
NOT_WORD = re.compile(r"[\W_]+")


@dataclass
class Composition:
    """The words of each role in an article, and where its headline and captions are."""

    words: Counter[str] = field(default_factory=Counter)
    # Whether one of a part is in the default text, and all of it, the headline once, in the text
    # that asks for it.
    default: dict[str, bool] = field(default_factory=dict)
    asked_for: dict[str, bool] = field(default_factory=dict)


def key(text: str) -> str:
    """Return the letters and digits of a text."""
    return NOT_WORD.sub("", text.lower())


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs and lines of a text, without differences in case and punctuation."""
    found = []
    for paragraph in text.split("\n\n"):
        lines = paragraph.split("\n")
        found += [key(paragraph), *(key(line) for line in lines if len(lines) > 1)]
    return found


def compose(page: Page) -> Composition:
    """Extract a page, and look for its headline and its captions in the texts."""
    found = Composition()
    article = extract(page.html, url=page.url)
    for block in article.blocks:
        found.words[block.role] += len(WORD.findall(block.text.lower()))
    for part, wanted in visible_parts(article, page).items():
        asked = extract(page.html, url=page.url, parts=(*DEFAULT_PARTS, part))
        before, after = (Counter(paragraphs(text)) for text in (article.text, asked.text))
        if part == "headline":
            # The row of the headline can have more than the title, such as its source.
            longer = {key(block.text) for block in article.blocks if block.role == part}
            headline = {
                one: [one, *(row for row in longer - {one} if one in row)] for one in wanted
            }
            found.default[part] = any(before[row] for rows in headline.values() for row in rows)
            found.asked_for[part] = all(
                sum(after[row] for row in rows) == 1 for rows in headline.values()
            )
        else:
            # A heading or a paragraph can have the words of a caption, and stays.
            found.default[part] = any(before[text] >= after[text] > 0 for text in wanted)
            found.asked_for[part] = all(after[text] for text in wanted)
    return found


def visible_parts(article: Article, page: Page) -> dict[str, set[str]]:
    """Return the headline and the captions that are rows of the page.

    The headline is the title in the metadata, read independently of the roles of rows.
    """
    rows = set(paragraphs(extract(page.html, method="cetr-tm", lam=0, parts=ROLES).text))
    everything = {key(block.text) for block in article.blocks} | rows
    headline = key(article.title or "")
    captions = {key(block.text) for block in article.blocks if block.role == "caption"}
    parts = {"headline": {headline} & everything, "caption": captions}
    return {part: wanted - {""} for part, wanted in parts.items() if wanted - {""}}


def measure_parts(corpus: Corpus, *, jobs: int, force_progress: bool = False) -> list[Composition]:
    """Compose the articles of a corpus, with a progress bar."""
    composed = map_in_processes(compose, corpus.pages(), jobs=jobs)
    count = len(corpus.chosen)
    return list(progress(composed, total=count, name=corpus.name, force=force_progress))


def role_row(corpus: str, composed: Sequence[Composition]) -> list[str]:
    """Return the share of each role in all words of a corpus."""
    words = sum((page.words for page in composed), Counter[str]())
    total = max(words.total(), 1)
    return [corpus, str(len(composed)), *(f"{words[role] / total:.1%}" for role in ROLES)]


def placement_rows(corpus: str, composed: Sequence[Composition]) -> list[list[str]]:
    """Return on how many pages a part is in the text by default, and if it is asked for."""
    rows = []
    for part in ASKED_FOR:
        pages = [page for page in composed if part in page.default]
        counts = (
            sum(page.default[part] for page in pages),
            sum(page.asked_for[part] for page in pages),
        )
        shares = (count / max(len(pages), 1) for count in counts)
        rows.append([corpus, part, str(len(pages)), *(f"{share:.1%}" for share in shares)])
    return rows


def role_table(rows: Sequence[Sequence[str]]) -> Table:
    """Make the table of roles."""
    return Table(HEADERS, rows, name_columns=1)


def placement_table(rows: Sequence[Sequence[str]]) -> Table:
    """Make the table of headlines and captions."""
    return Table(PLACEMENT_HEADERS, rows, name_columns=2)
