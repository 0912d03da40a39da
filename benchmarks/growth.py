"""Time and memory by the size of a page, on generated pages."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.contenders import PROBE, Contender, extractor
from benchmarks.memory import in_fresh_process, peak_bytes
from benchmarks.speed import MEGABYTE, byte_size, time_page
from benchmarks.table import ABSENT, Table

SYLLABLES = ("ka", "lo", "mer", "ti", "sun", "dra", "pel", "vo", "ning", "sha", "ro", "el")
VOCABULARY_SIZE = 5000


@dataclass(frozen=True, kw_only=True)
class Growth:
    """The measurements of a contender on a generated page; sizes are in bytes."""

    size: int
    seconds: float
    peak: int | None
    failed: bool


def generate_page(size: int, *, seed: int = 0) -> str:
    """Generate a news-like page of about ``size`` bytes with made-up words."""
    chance = random.Random(seed)  # noqa: S311 - made-up words, not a secret
    vocabulary = make_vocabulary(chance)
    blocks = [
        "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>",
        f"<title>{sentence(chance, vocabulary)}</title>\n</head>\n<body>",
    ]
    written = sum(map(byte_size, blocks))
    for block in news_blocks(chance, vocabulary):
        if written >= size:
            break
        blocks.append(block)
        written += byte_size(block) + 1
    return "\n".join([*blocks, "</body>\n</html>\n"])


def news_blocks(chance: random.Random, vocabulary: Sequence[str]) -> Iterator[str]:
    """Yield parts of news pages without end: navigation, paragraphs and teasers."""
    while True:
        yield navigation(chance, vocabulary)
        yield f"<article>\n<h2>{sentence(chance, vocabulary)}</h2>"
        for _ in range(chance.randint(4, 12)):
            yield paragraph(chance, vocabulary)
        yield f"</article>\n<script>var state = {script_data(chance, vocabulary)};</script>"
        for _ in range(chance.randint(2, 8)):
            yield teaser(chance, vocabulary)


def make_vocabulary(chance: random.Random) -> list[str]:
    """Make words of one to four syllables."""
    return [
        "".join(chance.choices(SYLLABLES, k=chance.randint(1, 4))) for _ in range(VOCABULARY_SIZE)
    ]


def phrase(chance: random.Random, vocabulary: Sequence[str], *, length: int) -> str:
    """Join ``length`` random words."""
    return " ".join(chance.choices(vocabulary, k=length))


def sentence(chance: random.Random, vocabulary: Sequence[str]) -> str:
    """Write a sentence, some with typographic punctuation."""
    text = phrase(chance, vocabulary, length=chance.randint(5, 24)).capitalize()
    return f"“{text}”, —." if chance.random() < 0.1 else f"{text}."


def link(chance: random.Random, vocabulary: Sequence[str], *, length: int) -> str:
    """Write a link of ``length`` words."""
    name = "-".join(chance.choices(vocabulary, k=3))
    return f'<a href="/{name}.html">{phrase(chance, vocabulary, length=length)}</a>'


def style(chance: random.Random) -> str:
    """Write attributes as web frameworks generate them."""
    names = " ".join(f"css-{chance.randrange(16**6):06x}" for _ in range(chance.randint(1, 4)))
    return f' class="{names}" data-id="{chance.randrange(10**8)}"'


def script_data(chance: random.Random, vocabulary: Sequence[str]) -> str:
    """Write data for scripts, which make up half of the bytes of a page."""
    entries = (f'"{word}": {chance.randrange(10**6)}' for word in chance.choices(vocabulary, k=200))
    return "{" + ", ".join(entries) + "}"


def navigation(chance: random.Random, vocabulary: Sequence[str]) -> str:
    """Write a list of short links."""
    items = (
        f"  <li{style(chance)}><span{style(chance)}>"
        f"{link(chance, vocabulary, length=chance.randint(1, 3))}</span></li>"
        for _ in range(chance.randint(5, 20))
    )
    return "\n".join(["<nav><ul>", *items, "</ul></nav>"])


def paragraph(chance: random.Random, vocabulary: Sequence[str]) -> str:
    """Write a paragraph with some links in it."""
    parts = []
    for _ in range(chance.randint(2, 7)):
        parts.append(sentence(chance, vocabulary))
        if chance.random() < 0.15:
            parts.append(link(chance, vocabulary, length=chance.randint(1, 4)))
    return f"<p{style(chance)}>{' '.join(parts)}</p>"


def teaser(chance: random.Random, vocabulary: Sequence[str]) -> str:
    """Write the title, image and first sentence of another article."""
    return (
        f"<div{style(chance)}>\n<h3{style(chance)}>{link(chance, vocabulary, length=6)}</h3>\n"
        f"<img src='/{chance.choice(vocabulary)}.jpg' alt=''>\n"
        f"<div{style(chance)}><span{style(chance)}>"
        f"{sentence(chance, vocabulary)}</span></div>\n</div>"
    )


def measure_growth(contender: Contender, *, size: int, repeat: int, seed: int) -> Growth:
    """Measure one contender on one generated page, in a fresh process."""
    return in_fresh_process(measure_here, contender, size=size, repeat=repeat, seed=seed)


def measure_here(contender: Contender, *, size: int, repeat: int, seed: int) -> Growth:
    """Measure the memory of the first run on a generated page, and the time of all runs."""
    html = generate_page(size, seed=seed)
    run = extractor(contender)
    time_page(run, PROBE)
    runs: list[tuple[float, bool]] = []
    peak = peak_bytes(lambda: runs.append(time_page(run, html)))
    runs += [time_page(run, html) for _ in range(repeat - 1)]
    return Growth(
        size=byte_size(html),
        seconds=median(seconds for seconds, _ in runs),
        peak=peak,
        failed=any(failed for _, failed in runs),
    )


def growth_table(grown: Sequence[tuple[Contender, Sequence[Growth]]], *, base: int) -> Table:
    """Compare all sizes of each contender with the size at the index ``base``."""
    headers = (
        "contender",
        "page MB",
        "seconds",
        f"× linear from {megabytes(grown[0][1][base].size)} MB",
        "peak MB",
        "peak / page",
        "failed",
    )
    rows = [
        [contender.label, *growth_figures(growth, base=growths[base])]
        for contender, growths in grown
        for growth in growths
    ]
    return Table(headers, rows, name_columns=1)


def growth_figures(growth: Growth, *, base: Growth) -> list[str]:
    """Format the measurements of a page, compared with linear growth from the base."""
    expected = base.seconds * growth.size / base.size
    return [
        megabytes(growth.size),
        f"{growth.seconds:.3f}",
        f"{growth.seconds / expected:.2f}",
        ABSENT if growth.peak is None else f"{growth.peak / MEGABYTE:.1f}",
        ABSENT if growth.peak is None else f"{growth.peak / growth.size:.1f}",
        "yes" if growth.failed else "no",
    ]


def megabytes(size: int) -> str:
    """Format a size in MB.

    >>> megabytes(250_300)
    '0.25'
    """
    return f"{size / MEGABYTE:.3g}"
