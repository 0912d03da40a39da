"""Count how often the main image of a page is among the images, and how often junk is.

The main image is the one that the page declares in og:image, JSON-LD and the like, unless its URL
is that of a logo or a default (``is_site_picture``). It is found if an image is the same picture:
one with the same file name, without extension, size and version (``picture_key``). It is shown if
it is also in the Markdown and HTML. An image is junk if JUNK matches its URL.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape
from urllib.parse import urlsplit

from benchmarks.corpus import Corpus, Page
from benchmarks.progress import progress
from benchmarks.table import ABSENT, Table
from scrapy_cetr.extraction import extract
from scrapy_cetr.extraction.html.picture_urls import picture_key

HEADERS = (
    *("corpus", "pages", "with main image", "among images", "shown", "with junk", "images/page"),
)
# Words in the folder or the file name of images that are no content, services, and vector graphics.
JUNK = re.compile(
    r"(?<![a-z])(?:logos?|avatars?|icons?|favicon|sprites?|emojis?|smil(?:ey|eys|ies)|spacer|blank|"
    r"pixel|placeholder|loading|spinner|badges?|btn|buttons?|share|rss|counter|beacon|1x1|banners?|"
    r"transparent|arrows?|bullets?)(?![a-z])|(?<![a-z0-9])ads?(?![a-z0-9])|"
    r"/(?:default|facebook|twitter|pinterest|whatsapp|linkedin|instagram|youtube)[-_\d]*\.[a-z]+$|"
    r"gravatar\.com|doubleclick\.net|adserver|\.svg$|^data:|^$",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class JudgedImages:
    """The main image of a page, all images of its article, and those shown in the article."""

    id: str
    main: str | None
    images: Sequence[str]
    shown: Sequence[str]

    @property
    def is_found(self) -> bool:
        """Whether the main image is among the images."""
        return has_picture(self.images, self.main)

    @property
    def is_shown(self) -> bool:
        """Whether the main image is in the text, and not only declared."""
        return has_picture(self.shown, self.main)

    @property
    def junk(self) -> list[str]:
        """The images that are junk."""
        return [url for url in self.images if is_junk(url)]


def has_picture(urls: Sequence[str], main: str | None) -> bool:
    """Return whether a picture is among others, in whatever size.

    >>> has_picture(["https://a.example/boat-300x200.jpg"], "https://b.example/boat.jpg?w=1200")
    True
    """
    return main is not None and picture_key(main) in map(picture_key, urls)


def is_junk(url: str) -> bool:
    """Return whether JUNK matches the domain, or the last two parts of the path, of a URL.

    >>> is_junk("https://a.example/img/site_logo.png"), is_junk("https://a.example/boat.jpg")
    (True, False)
    """
    parts = urlsplit(url)
    domain = ".".join(parts.netloc.split(".")[-2:])
    return bool(JUNK.search(f"{domain}/{'/'.join(parts.path.split('/')[-2:])}"))


def judge(page: Page) -> JudgedImages:
    """Extract the images of a page."""
    article = extract(page.html, url=page.url or "https://page.example/")
    shown = [unescape(url) for url in re.findall(r'<img src="([^"]*)"', article.html)]
    images = [image.url for image in article.images]
    return JudgedImages(id=page.id, main=article.image, images=images, shown=shown)


def judge_images(corpus: Corpus, *, force_progress: bool = False) -> list[JudgedImages]:
    """Extract the images of a corpus, with a progress bar."""
    judged = map(judge, corpus.pages())
    return list(progress(judged, total=len(corpus.chosen), name=corpus.name, force=force_progress))


def images_row(corpus: str, judged: Sequence[JudgedImages]) -> list[str]:
    """Return the table row of a corpus: numbers of pages, and shares of them."""
    with_main = [page for page in judged if page.main]
    return [
        corpus,
        str(len(judged)),
        str(len(with_main)),
        share(sum(page.is_found for page in with_main), len(with_main)),
        share(sum(page.is_shown for page in with_main), len(with_main)),
        share(sum(bool(page.junk) for page in judged), len(judged)),
        f"{sum(len(page.images) for page in judged) / len(judged):.1f}",
    ]


def share(count: int, whole: int) -> str:
    """Format a share."""
    return f"{count / whole:.3f}" if whole else ABSENT


def images_table(rows: Sequence[Sequence[str]]) -> Table:
    """Return a table of the rows of all corpora."""
    return Table(HEADERS, rows, name_columns=1)


def images_failure_table(judged: Sequence[JudgedImages]) -> Table:
    """Return a table of the pages with junk, and of those that do not show their main image."""
    rows = [[page.id, "junk", url] for page in judged for url in page.junk]
    rows += [
        [page.id, "not shown" if page.is_found else "missing", page.main or ""]
        for page in judged
        if page.main and not page.is_shown
    ]
    return Table(("id", "failure", "image"), rows, name_columns=3)
