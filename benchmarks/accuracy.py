"""Precision and recall of the words that contenders keep, compared with gold texts."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean, median

from benchmarks.contenders import Contender, extractor
from benchmarks.corpus import Corpus, Page
from benchmarks.parallel import map_in_processes
from benchmarks.progress import progress
from benchmarks.table import ABSENT, Table

# Han with its radicals and extension planes, Hiragana and Katakana with theirs.
CJK = (
    r"\u2e80-\u2fdf\u3005\u3007\u3021-\u3029\u3038-\u303b\u3041-\u30ff\u31f0-\u31ff"
    r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    r"\U0001aff0-\U0001b16f\U00020000-\U0003ffff"
)
# These ranges also hold punctuation, which the look-ahead excludes.
WORD = re.compile(rf"(?=\w)[{CJK}]|[^\W{CJK}]+")

# The words of a line that make it a paragraph, and the words of a shingle, in which it is compared.
PARAGRAPH_WORDS, SHINGLE = 10, 3

HEADERS = (
    *("corpus", "contender", "P", "R", "F1", "median F1", "H", "first ¶", "last ¶"),
    *("pages", "failures"),
)
WORST_HEADERS = ("id", "url", "P", "R", "F1", "words kept", "words gold")


@dataclass(frozen=True, kw_only=True)
class Score:
    """The words that a contender kept of a page, compared with its gold text.

    ``ends`` are the shares kept of the first and of the last paragraph, if there are paragraphs.
    """

    precision: float
    recall: float
    kept: int
    gold: int
    ends: tuple[float, ...] | None = None
    failed: bool = False

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return harmonic_mean(self.precision, self.recall)


@dataclass(frozen=True, kw_only=True)
class JudgedPage:
    """A page, without its content, and the scores of all contenders on it."""

    id: str
    url: str | None
    scores: tuple[Score, ...]


def harmonic_mean(precision: float, recall: float) -> float:
    """Return the harmonic mean of precision and recall.

    >>> harmonic_mean(0.5, 1.0)
    0.6666666666666666
    """
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0


def words(text: str) -> Counter[str]:
    """Count the words of a text; each CJK character is a word.

    >>> sorted(words("Ein Wort, 中文 und ein wort").items())
    [('ein', 2), ('und', 1), ('wort', 2), ('中', 1), ('文', 1)]
    """
    return Counter(WORD.findall(text.lower()))


def shingles(listed: Sequence[Hashable]) -> set[tuple[Hashable, ...]]:
    """Return all runs of SHINGLE words."""
    return set(zip(*(listed[offset:] for offset in range(SHINGLE)), strict=False))


def end_paragraphs(text: str) -> tuple[list[str], list[str]] | None:
    """Return the words of the first and of the last paragraph, or None if there is none."""
    lines = (WORD.findall(line.lower()) for line in text.splitlines())
    paragraphs = [listed for listed in lines if len(listed) >= PARAGRAPH_WORDS]
    return (paragraphs[0], paragraphs[-1]) if paragraphs else None


def share_kept(paragraph: Sequence[Hashable], kept: Sequence[Hashable]) -> float:
    """Return the share of the shingles of a paragraph that are kept.

    >>> share_kept("one two three four five six".split(), "one two three four!".split())
    0.25
    """
    wanted = shingles(paragraph)
    return len(wanted & shingles(kept)) / len(wanted)


def score(kept: Counter[str], gold: Counter[str]) -> Score:
    """Compare the words kept with those of the gold text.

    >>> score(words("a b c d"), words("a b e"))
    Score(precision=0.5, recall=0.6666666666666666, kept=4, gold=3, ends=None, failed=False)
    """
    shared = (kept & gold).total()
    kept_total, gold_total = kept.total(), gold.total()
    both_empty = float(kept_total == gold_total == 0)
    return Score(
        precision=shared / kept_total if kept_total else both_empty,
        recall=shared / gold_total if gold_total else both_empty,
        kept=kept_total,
        gold=gold_total,
    )


def judge(page: Page, *, contenders: Sequence[Contender]) -> JudgedPage:
    """Score all contenders on a page; a contender that fails keeps no words."""
    gold, paragraphs = words(page.text), end_paragraphs(page.text)
    scores = []
    for contender in contenders:
        try:
            kept, failed = extractor(contender)(page.html), False
        except Exception:
            kept, failed = "", True
        listed = WORD.findall(kept.lower())
        ends = paragraphs and tuple(share_kept(paragraph, listed) for paragraph in paragraphs)
        scores.append(replace(score(Counter(listed), gold), ends=ends, failed=failed))
    return JudgedPage(id=page.id, url=page.url, scores=tuple(scores))


def judge_all(
    pages: Iterable[Page], *, contenders: Sequence[Contender], jobs: int
) -> Iterator[JudgedPage]:
    """Score all contenders on all pages, in the order of the pages for any number of jobs."""
    return map_in_processes(partial(judge, contenders=contenders), pages, jobs=jobs)


def judge_corpus(
    corpus: Corpus, *, contenders: Sequence[Contender], jobs: int, force_progress: bool = False
) -> list[JudgedPage]:
    """Score all contenders on a corpus, with a progress bar."""
    judged = judge_all(corpus.pages(), contenders=contenders, jobs=jobs)
    return list(progress(judged, total=len(corpus.chosen), name=corpus.name, force=force_progress))


def accuracy_rows(
    corpus: str, judged: Sequence[JudgedPage], contenders: Sequence[Contender]
) -> list[list[str]]:
    """Return a row per contender with its mean scores on a corpus."""
    rows = []
    for index, contender in enumerate(contenders):
        scores = [page.scores[index] for page in judged]
        precision = fmean(score.precision for score in scores)
        recall = fmean(score.recall for score in scores)
        f1 = [score.f1 for score in scores]
        figures = (precision, recall, fmean(f1), median(f1), harmonic_mean(precision, recall))
        ends = [score.ends for score in scores if score.ends is not None]
        of_ends = map(decimal, map(fmean, zip(*ends, strict=True))) if ends else (ABSENT, ABSENT)
        failures = sum(score.failed for score in scores)
        counts = (str(len(scores)), str(failures))
        rows.append([corpus, contender.label, *map(decimal, figures), *of_ends, *counts])
    return rows


def accuracy_table(rows: Sequence[Sequence[str]]) -> Table:
    """Make the table of all corpora."""
    return Table(HEADERS, rows, name_columns=2)


def worst_table(judged: Sequence[JudgedPage], *, count: int) -> Table:
    """List the pages with the lowest F1 of the first contender, the lowest first."""
    worst = sorted(judged, key=lambda page: (page.scores[0].f1, page.id))[:count]
    return Table(WORST_HEADERS, [worst_row(page) for page in worst], name_columns=2)


def worst_row(page: JudgedPage) -> list[str]:
    """Return the row of a page: the scores of the first contender."""
    first = page.scores[0]
    figures = (first.precision, first.recall, first.f1)
    return [page.id, page.url or ABSENT, *map(decimal, figures), str(first.kept), str(first.gold)]


def decimal(figure: float) -> str:
    """Format a share with enough digits to distinguish variants."""
    return f"{figure:.4f}"
