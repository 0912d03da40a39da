"""Training examples: pages with features, and the number of gold words in each row."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq
from tldextract import TLDExtract

from benchmarks.accuracy import PARAGRAPH_WORDS, WORD, end_paragraphs, share_kept
from benchmarks.corpus import Page, read_pages
from scrapy_cetr.extraction.columns import Bools
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.methods.learned.features import Features, find_features
from training.conventions import Parts, find_parts
from training.progress import progress

Ints = NDArray[np.intp]

# A row next to the article is text, not a label, if it has at least this many words.
BEYOND_WORDS = 5
# If the teachers give such a row a higher probability, the gold text leaves it out by mistake.
SURE = 0.8
NOT_ARTICLES = ("forum", "product", "collection", "listing", "documentation", "service")
# Longer pages are compared by their words alone, whatever their order.
_LONGEST_ALIGNMENT = 4_000_000_000
_LINK = re.compile(r"""(?:href|src|content|action)\s*=\s*["']?https?://([^/"'\s>:?]+)""", re.I)
# Pages of all sites link to these.
_EVERYWHERE = re.compile(
    "facebook|twitter|google|gstatic|youtube|w3$|doubleclick|addthis|wordpress|gravatar|wp$|schema"
    "|cloudflare|jquery|instagram|pinterest|linkedin|feedburner|blogger|blogspot|typepad|digg"
    "|reddit|stumbleupon|quantserve|amazonaws|flickr|adobe|yahoo|ogp$|purl|creativecommons|akamai"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Example:
    """A page to learn from.

    - ``words``, ``matched``: the words of each row, and how many of them are in the gold text.
    - ``parts``: what each row is by convention, see ``conventions``.
    - ``word_rows``, ``word_ids``: the row and the number of each word of the page.
    - ``gold``: how often each word occurs in the gold text, by number.
    - ``end_paragraphs``: the words of the first and of the last gold paragraph, by number.
    - ``teacher``: 3 × rows, the teachers' predictions: the probability of each row as content of an
      article, in the style of the corpus, and in the style of the favour for recall.
    """

    corpus: str
    id: str
    type: str | None
    site: str
    features: Features
    words: Ints
    matched: Ints
    parts: Parts
    word_rows: Ints
    word_ids: Ints
    gold: Ints
    end_paragraphs: tuple[list[int], ...] = ()
    teacher: NDArray[np.float32] | None = None


def read_examples(paths: Sequence[Path], *, jobs: int, limit: int | None = None) -> list[Example]:
    """Read all pages of the corpora, or the first of each, and compute their features."""
    pages = [
        (path.name.partition(".")[0], page)
        for path in paths
        for page in islice(read_pages(path), limit)
    ]
    with get_context("fork").Pool(jobs) as processes:
        examples = processes.imap(make_example, pages, chunksize=16)
        return list(progress(examples, total=len(pages), name="features"))


def make_example(source: tuple[str, Page]) -> Example:
    """Read a page of the named corpus, and align the words of its rows with the gold text."""
    corpus, page = source
    read_page = read(page.html, rows="blocks", with_class_names=True)
    features = find_features(read_page)
    vocabulary: dict[str, int] = {}

    def number(words: Iterable[str]) -> list[int]:
        return [vocabulary.setdefault(word, len(vocabulary)) for word in words]

    words_of_rows = [number(WORD.findall(text.lower())) for text in features.texts]
    ids = [word for row in words_of_rows for word in row]
    gold = number(WORD.findall(page.text.lower()))
    ends = tuple(number(paragraph) for paragraph in end_paragraphs(page.text) or ())
    rows = np.repeat(np.arange(len(words_of_rows)), [len(row) for row in words_of_rows])
    is_matched = align_words(ids, gold)
    words = np.bincount(rows, minlength=len(words_of_rows))
    matched = np.bincount(rows[is_matched], minlength=len(words_of_rows))
    return Example(
        corpus=corpus,
        id=page.id,
        type=page.type,
        site=site_of(page),
        features=features,
        words=words,
        matched=matched,
        parts=find_parts(read_page, features, 2 * matched > words),
        word_rows=rows.astype(np.intp),
        word_ids=np.array(ids, np.intp),
        gold=np.bincount(np.array(gold, np.intp), minlength=len(vocabulary)),
        end_paragraphs=ends,
    )


def align_words(words: list[int], gold: list[int]) -> Bools:
    """Mark the words of the page that are in the longest common subsequence with the gold text."""
    matched = np.zeros(len(words), np.bool_)
    if len(words) * len(gold) > _LONGEST_ALIGNMENT:
        return np.isin(words, gold)
    for step in LCSseq.opcodes(words, gold):
        if step.tag == "equal":
            matched[step.src_start : step.src_end] = True
    return matched


def site_of(page: Page) -> str:
    """Return the registered domain of a page: that of its URL, or of most of its links."""
    if page.url:
        return _registered(page.url)
    hosts = Counter(_registered(host.lower()) for host in _LINK.findall(page.html))
    own = [name for name, _ in hosts.most_common() if not _EVERYWHERE.match(name.partition(".")[0])]
    return own[0] if own else page.id


@cache
def _registered(url: str) -> str:
    parts = _domains()(url)
    return f"{parts.domain}.{parts.suffix}"


@cache
def _domains() -> TLDExtract:
    # The list of suffixes comes with the package, so nothing is downloaded.
    return TLDExtract(suffix_list_urls=(), cache_dir=None)


def boundaries(example: Example) -> tuple[list[int], list[int]]:
    """Return the rows of the first and the last gold paragraph, and the text rows beyond these.

    Rows that the teachers are sure of are left out, as the gold text ends too early there.
    """
    is_gold = 2 * example.matched > example.words
    paragraphs = np.flatnonzero(is_gold & (example.words >= PARAGRAPH_WORDS)).tolist()
    if not paragraphs:
        return [], []
    first, last = paragraphs[0], paragraphs[-1]
    others = np.flatnonzero(~is_gold & (example.words >= BEYOND_WORDS))
    beyond = [*others[others < first][-1:].tolist(), *others[others > last][:1].tolist()]
    if example.teacher is not None:
        beyond = [row for row in beyond if example.teacher[0, row] <= SURE]
    return [first, last], beyond


def f1(example: Example, keep: Bools) -> float:
    """Compare the words of the kept rows with the gold text, as ``benchmarks accuracy`` does."""
    words = example.word_ids[keep[example.word_rows]]
    kept = np.bincount(words, minlength=len(example.gold))
    total = int(kept.sum() + example.gold.sum())
    return 2 * int(np.minimum(kept, example.gold).sum()) / total if total else 1.0


def ends_kept(example: Example, keep: Bools) -> tuple[float, ...]:
    """Return the shares of the first and the last gold paragraph that are kept."""
    words = example.word_ids[keep[example.word_rows]].tolist()
    return tuple(share_kept(paragraph, words) for paragraph in example.end_paragraphs)


def folds_by_site(examples: list[Example], count: int, *, seed: int) -> Ints:
    """Return the fold of each example, from zero to ``count``; no site is in two folds."""
    sites = sorted({example.site for example in examples})
    dealt = np.random.default_rng(seed).permutation(len(sites)) % count
    fold = dict(zip(sites, dealt.tolist(), strict=True))
    return np.array([fold[example.site] for example in examples])
