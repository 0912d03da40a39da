"""write_crawl_report: figures, suspects, escaping."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from scrapy_cetr.extraction import Article, Options
from scrapy_cetr.extraction.lazy import LazyValues
from scrapy_cetr.reports.crawl_report import write_crawl_report
from scrapy_cetr.reports.survey import Survey

OPTIONS = Options()
PAGE = "<p>" + "word " * 100


def article(url: str = "https://x.example/1", *, words: int = 100, chars: int = 1000) -> Article:
    return Article(text="word " * words, url=url, method="cetr", page_chars=chars)


def written(survey: Survey, folder: Path) -> str:
    file = folder / "reports" / "crawl.html"
    write_crawl_report(survey, file, title="Crawl of <news>")
    return file.read_text(encoding="utf-8")


def test_crawl_report_shows_figures_sites_and_suspects(tmp_path: Path) -> None:
    survey = Survey()
    for number in range(8):
        survey.add(article(f"https://x.example/{number}"), PAGE, options=OPTIONS)
    survey.add(article("https://y.example/short", words=10), PAGE, options=OPTIONS)
    html = written(survey, tmp_path)
    assert dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", html)) == {
        "pages": "9",
        "articles": "9",
        "sites": "2",
        "words kept": "810",
        "words of the median page": "100",
        "of all characters kept": "45%",
        "empty": "0",
        "failed": "0",
        "to inspect": "1",
    }
    assert "Crawl of &lt;news&gt;" in html
    assert re.findall(r'<td class="address">([xy]\.example)</td><td>(\d)', html) == [
        ("x.example", "8"),
        ("y.example", "1"),
    ]
    assert html.count("<circle") == 9
    assert html.count('<circle class="suspect"') == 1


def test_crawl_report_links_to_the_page_reports_of_suspects(tmp_path: Path) -> None:
    survey = Survey()
    survey.add(article("https://x.example/short", words=2), PAGE, options=OPTIONS)
    html = written(survey, tmp_path)
    assert re.findall(r'class="why" href="(.*?)"', html) == ["crawl-pages/1.html"]
    page = (tmp_path / "reports/crawl-pages/1.html").read_text(encoding="utf-8")
    assert "https://x.example/short" in page


def test_crawl_report_lists_all_suspects_and_shows_the_first_fifty(tmp_path: Path) -> None:
    survey = Survey()
    for number in range(180):
        survey.add(article(f"https://{number}.example/", words=0), PAGE, options=OPTIONS)
    survey.unlisted = 7
    html = written(survey, tmp_path)
    assert "<dt>to inspect</dt><dd>187</dd>" in html
    assert ">187 pages to inspect</h2>" in html
    shown, _, more = html.partition('<details id="more-suspects"><summary>Show all 180</summary>')
    assert shown.partition('id="suspects"')[2].count("<tr><td") == 50
    assert more.partition("</details>")[0].count("<tr><td") == 130
    assert "7 more pages were suspicious" in more


def test_crawl_report_escapes_urls_and_links_only_to_http(tmp_path: Path) -> None:
    survey = Survey()
    for url in ("javascript:alert(1)", 'https://x.example/"><script>alert(1)</script>'):
        survey.add(article(url, words=1), PAGE, options=OPTIONS)
    html = written(survey, tmp_path)
    assert "<script" not in html
    assert 'href="javascript:' not in html
    assert "script-src 'none'" in html


def test_crawl_report_of_an_empty_survey(tmp_path: Path) -> None:
    assert "All 0 pages" in written(Survey(), tmp_path)


class Probable(Article):
    """An article with a probability, as the learned method returns it."""

    __slots__ = ("probability",)

    def __init__(self, probability: float) -> None:
        super().__init__(text="word " * 100, url="https://x.example", method="x", page_chars=1000)
        object.__setattr__(self, "probability", probability)


def test_crawl_report_shows_probabilities_if_the_method_has_them(tmp_path: Path) -> None:
    survey = Survey()
    for probability in (0.2, 0.9, 0.96):
        survey.add(Probable(probability), PAGE, options=OPTIONS)
    html = written(survey, tmp_path)
    assert "<dt>median probability</dt><dd>0.90</dd>" in html
    assert re.findall(r"<title>(\d) pages", html) == list("00001000000000000011")
    assert "probability 0.20" in html


def test_crawl_report_shows_kinds(tmp_path: Path) -> None:
    survey = Survey()
    for number, kind in enumerate(("article", "listing", "wall")):
        lazy = LazyValues.known({"kind": kind})
        known = replace(article(f"https://x.example/{number}"), _lazy=lazy)
        survey.add(known, PAGE, options=OPTIONS)
    report = written(survey, tmp_path)
    assert "<dt>of kind listing</dt><dd>1</dd>" in report
    assert "<dt>articles</dt><dd>1</dd>" in report
    assert "kind wall" in report
    assert '<td class="p">listing</td>' in report
