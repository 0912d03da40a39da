"""A survey: what is suspicious, what is remembered, and never more than there is room for."""

from __future__ import annotations

import re
from pathlib import Path
from statistics import mean

import pytest

from scrapy_cetr.extraction import Article, Options
from scrapy_cetr.reports import survey as module
from scrapy_cetr.reports.crawl_report import write_survey
from scrapy_cetr.reports.survey import Sample, Seen, Site, Survey, doubts

OPTIONS = Options()
PAGE = "<p>" + "word " * 100


def article(url: str = "https://x.example/1", *, words: int = 100, chars: int = 1000) -> Article:
    return Article(text="word " * words, url=url, method="cetr", page_chars=chars)


def seen(*, words: int = 100, share: float = 0.5, probability: float | None = None) -> Seen:
    return Seen(
        url="https://x.example/1",
        site="x.example",
        words=words,
        share=share,
        short=False,
        failed=False,
        probability=probability,
    )


def site_of(pages: int, *, words: int = 100, share: float = 0.5) -> Site:
    site = Site()
    for _ in range(pages):
        site.add(seen(words=words, share=share))
    return site


@pytest.mark.parametrize(
    ("page", "reasons"),
    [
        (seen(), []),
        (seen(words=0), ["empty"]),
        (seen(words=49), ["only 49 words"]),
        (seen(probability=0.49), ["probability 0.49"]),
        (seen(probability=0.5), []),
        (seen(share=0.81), ["keeps 81% of its characters; the site’s median is 50%"]),
        (seen(share=0.79), []),
        (seen(words=49, share=0.1), ["only 49 words", "keeps 10% of its characters; the"]),
    ],
)
def test_what_is_suspicious(page: Seen, reasons: list[str]) -> None:
    found = [reason for _, reason in doubts(page, site_of(8))]
    assert len(found) == len(reasons)
    assert all(reason.startswith(start) for reason, start in zip(found, reasons, strict=True))


def test_a_page_with_a_fifth_of_the_usual_words_is_suspicious() -> None:
    site = site_of(8, words=500)
    assert doubts(seen(words=100), site) == []
    assert [reason for _, reason in doubts(seen(words=99), site)] == [
        "99 words; the site’s median is 500"
    ]


def test_of_few_pages_none_is_far_off() -> None:
    assert doubts(seen(share=0.01), site_of(7)) == []


def test_failures_come_first_then_empty_then_short_pages() -> None:
    survey = Survey()
    for words in (40, 0, 100, 30):
        survey.add(article(f"https://x.example/{words}", words=words), PAGE, options=OPTIONS)
    survey.add(article(words=0), PAGE, options=OPTIONS, failed=True)
    assert [reasons for _, reasons in survey.suspects()] == [
        ["could not be extracted"],
        ["empty"],
        ["only 30 words"],
        ["only 40 words"],
    ]


def test_a_first_page_that_turns_out_to_be_far_off_is_found() -> None:
    survey = Survey()
    survey.add(article("https://x.example/odd", chars=100_000), PAGE, options=OPTIONS)
    for number in range(20):
        survey.add(article(f"https://x.example/{number}"), PAGE, options=OPTIONS)
    ((suspect, _),) = survey.suspects()
    assert suspect.seen.url == "https://x.example/odd"
    assert suspect.html == PAGE


def test_a_bad_site_leaves_room_for_others() -> None:
    survey = Survey()
    for number in range(200):
        survey.add(article(f"https://bad.example/{number}", words=0), PAGE, options=OPTIONS)
    survey.add(article("https://x.example/short", words=3), PAGE, options=OPTIONS)
    sites = [suspect.seen.site for suspect, _ in survey.suspects()]
    assert sites == ["bad.example"] * module.MAX_SUSPECTS_OF_SITE + ["x.example"]


def test_memory_has_its_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"MAX_SITES": 5, "MAX_SUSPECTS": 7, "MAX_STORED_CHARS": 10}.items():
        monkeypatch.setattr(module, name, value)
    survey = Survey()
    for number in range(3000):
        survey.add(article(f"https://{number}.example/", words=0), PAGE, options=OPTIONS)
    assert survey.pages == survey.total.empty == 3000
    assert len(survey.sites) == 6
    assert survey.sites[module.OTHER_SITES].pages == 2995
    assert len(survey.sample.things) == module.MAX_SAMPLED_PAGES
    assert [suspect.html for suspect, _ in survey.suspects()] == [None] * 7


def test_a_sample_is_as_likely_to_have_the_first_as_the_last() -> None:
    sample: Sample[int] = Sample(200)
    for number in range(10_000):
        sample.add(number)
    assert len(sample.things) == 200
    assert 4000 < mean(sample.things) < 6000


# The report


def written(survey: Survey, folder: Path) -> str:
    file = folder / "reports" / "crawl.html"
    write_survey(survey, file, title="Crawl of <news>")
    return file.read_text(encoding="utf-8")


def test_the_report_has_the_figures_sites_and_suspects(tmp_path: Path) -> None:
    survey = Survey()
    for number in range(8):
        survey.add(article(f"https://x.example/{number}"), PAGE, options=OPTIONS)
    survey.add(article("https://y.example/short", words=10), PAGE, options=OPTIONS)
    html = written(survey, tmp_path)
    assert dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", html)) == {
        "pages": "9",
        "sites": "2",
        "words kept": "810",
        "words of the median page": "100",
        "of all characters kept": "45%",
        "empty": "0",
        "failed": "0",
        "to look at": "1",
    }
    assert "Crawl of &lt;news&gt;" in html
    assert re.findall(r'<td class="address">([xy]\.example)</td><td>(\d)', html) == [
        ("x.example", "8"),
        ("y.example", "1"),
    ]
    assert html.count("<circle") == 9
    assert html.count('<circle class="suspect"') == 1


def test_suspects_link_to_their_own_reports(tmp_path: Path) -> None:
    survey = Survey()
    survey.add(article("https://x.example/short", words=2), PAGE, options=OPTIONS)
    html = written(survey, tmp_path)
    assert re.findall(r'class="why" href="(.*?)"', html) == ["crawl-pages/1.html"]
    page = (tmp_path / "reports/crawl-pages/1.html").read_text(encoding="utf-8")
    assert "https://x.example/short" in page


def test_addresses_of_pages_are_escaped_and_links_only_to_the_web(tmp_path: Path) -> None:
    survey = Survey()
    for url in ("javascript:alert(1)", 'https://x.example/"><script>alert(1)</script>'):
        survey.add(article(url, words=1), PAGE, options=OPTIONS)
    html = written(survey, tmp_path)
    assert "<script" not in html
    assert 'href="javascript:' not in html
    assert "script-src 'none'" in html


def test_an_empty_survey_has_a_report_too(tmp_path: Path) -> None:
    assert "All 0 pages" in written(Survey(), tmp_path)


class Probable(Article):
    """An article as a learned method gives it."""

    __slots__ = ("probability",)

    def __init__(self, probability: float) -> None:
        super().__init__(text="word " * 100, url="https://x.example", method="x", page_chars=1000)
        object.__setattr__(self, "probability", probability)


def test_probabilities_are_shown_where_there_are_any(tmp_path: Path) -> None:
    survey = Survey()
    for probability in (0.2, 0.9, 0.96):
        survey.add(Probable(probability), PAGE, options=OPTIONS)
    html = written(survey, tmp_path)
    assert "<dt>median probability</dt><dd>0.90</dd>" in html
    assert re.findall(r"<title>(\d) pages", html) == list("00001000000000000011")
    assert "probability 0.20" in html
