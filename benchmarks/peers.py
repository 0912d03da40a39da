"""Other extractors (peers), each as a function from the HTML of a page to its text.

They are imported on first use, so that a benchmark needs only the peers that it names.
"""

import logging
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import turbohtml as turbohtml_package

from benchmarks.errors import BenchmarkError
from benchmarks.visible_text import visible_text


@cache
def import_peer(module: str) -> ModuleType:
    """Import a module of a peer, and disable its logging and warnings."""
    logging.getLogger(module.partition(".")[0]).setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return import_module(module)
    except ImportError as error:
        raise BenchmarkError(
            f"peer module {module} cannot be imported ({error}); "
            "install the peers: pip install 'scrapy-cetr[peers]'"
        ) from error


def turbohtml(html: str) -> str:
    """Extract with the article finder of turbohtml."""
    return turbohtml_package.parse(html).article().text


def trafilatura(html: str) -> str:
    """Extract with trafilatura and its default options, which include comments."""
    return import_peer("trafilatura").extract(html) or ""


def readability(html: str) -> str:
    """Extract with readability-lxml, and take the text of the HTML that it returns."""
    return visible_text(import_peer("readability").Document(html).summary())


def resiliparse(html: str) -> str:
    """Extract with the main-content rules of resiliparse."""
    html2text = import_peer("resiliparse.extract.html2text")
    return str(html2text.extract_plain_text(html, main_content=True))


def newspaper(html: str) -> str:
    """Extract with newspaper4k, without downloads."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        article = import_peer("newspaper").Article(url="http://localhost/", fetch_images=False)
        article.download(input_html=html)
        article.parse()
    return str(article.text)


def justext(html: str) -> str:
    """Extract with jusText and its English stop words."""
    paragraphs = import_peer("justext").justext(html, english_stop_words())
    return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)


@cache
def english_stop_words() -> Any:
    """Read the stop words of jusText once for all pages."""
    return import_peer("justext").get_stoplist("English")


def boilerpy(html: str) -> str:
    """Extract with the article rules of boilerpy3, which keep nothing outside a body tag."""
    extractor = import_peer("boilerpy3.extractors").ArticleExtractor(raise_on_failure=False)
    return str(extractor.get_content(html))


PEERS: Mapping[str, Callable[[str], str]] = {
    "trafilatura": trafilatura,
    "readability-lxml": readability,
    "resiliparse": resiliparse,
    "turbohtml": turbohtml,
    "newspaper4k": newspaper,
    "justext": justext,
    "boilerpy3": boilerpy,
    "all-text": visible_text,
}
