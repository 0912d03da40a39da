"""Survey: which pages are suspicious, and how much is kept of a long crawl."""

from __future__ import annotations

from dataclasses import replace
from statistics import mean

import pytest

from scrapy_cetr.extraction import Article, Options
from scrapy_cetr.extraction.lazy import LazyValues
from scrapy_cetr.reports import survey as module
from scrapy_cetr.reports.survey import PageCounts, ReservoirSample, Survey, SurveyedPage, suspicions

OPTIONS = Options()
PAGE = "<p>" + "word " * 100


def article(url: str = "https://x.example/1", *, words: int = 100, chars: int = 1000) -> Article:
    return Article(text="word " * words, url=url, method="cetr", page_chars=chars)


def surveyed(
    *, words: int = 100, share: float = 0.5, probability: float | None = None
) -> SurveyedPage:
    return SurveyedPage(
        url="https://x.example/1",
        site="x.example",
        words=words,
        share=share,
        short=False,
        failed=False,
        probability=probability,
    )


def site_with(pages: int, *, words: int = 100, share: float = 0.5) -> PageCounts:
    site = PageCounts()
    for _ in range(pages):
        site.add(surveyed(words=words, share=share))
    return site


@pytest.mark.parametrize(
    ("page", "reasons"),
    [
        (surveyed(), []),
        (surveyed(words=0), ["empty"]),
        (surveyed(words=49), ["only 49 words"]),
        (surveyed(probability=0.49), ["probability 0.49"]),
        (surveyed(probability=0.5), []),
        (surveyed(share=0.81), ["keeps 81% of its characters; the site’s median is 50%"]),
        (surveyed(share=0.79), []),
        (surveyed(words=49, share=0.1), ["only 49 words", "keeps 10% of its characters; the"]),
    ],
)
def test_suspicions_of_a_page(page: SurveyedPage, reasons: list[str]) -> None:
    found = [reason for _, reason in suspicions(page, site_with(8))]
    assert len(found) == len(reasons)
    assert all(reason.startswith(start) for reason, start in zip(found, reasons, strict=True))


def test_page_with_less_than_a_fifth_of_the_median_words_is_suspicious() -> None:
    site = site_with(8, words=500)
    assert suspicions(surveyed(words=100), site) == []
    assert [reason for _, reason in suspicions(surveyed(words=99), site)] == [
        "99 words; the site’s median is 500"
    ]


def test_page_is_not_compared_with_a_site_of_few_pages() -> None:
    assert suspicions(surveyed(share=0.01), site_with(7)) == []


def test_suspects_are_sorted_by_severity() -> None:
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


def test_suspects_include_a_first_page_that_turns_out_to_be_unusual() -> None:
    survey = Survey()
    survey.add(article("https://x.example/odd", chars=100_000), PAGE, options=OPTIONS)
    for number in range(20):
        survey.add(article(f"https://x.example/{number}"), PAGE, options=OPTIONS)
    ((suspect, _),) = survey.suspects()
    assert suspect.page.url == "https://x.example/odd"
    assert suspect.html == PAGE


def test_suspects_of_one_site_leave_room_for_other_sites() -> None:
    survey = Survey()
    for number in range(200):
        survey.add(article(f"https://bad.example/{number}", words=0), PAGE, options=OPTIONS)
    survey.add(article("https://x.example/short", words=3), PAGE, options=OPTIONS)
    found = [suspect for suspect, _ in survey.suspects()]
    assert len(found) == 201
    stored = [suspect.page.site for suspect in found if suspect.html is not None]
    assert stored == ["bad.example"] * module.MAX_STORED_PER_SITE + ["x.example"]


def test_survey_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"MAX_SITES": 5, "MAX_SUSPECTS": 7, "MAX_STORED_CHARS": 10}.items():
        monkeypatch.setattr(module, name, value)
    survey = Survey()
    for number in range(3000):
        survey.add(article(f"https://{number}.example/", words=0), PAGE, options=OPTIONS)
    assert survey.pages == survey.total.empty == 3000
    assert len(survey.sites) == 6
    assert survey.sites[module.OTHER_SITES].pages == 2995
    assert len(survey.sample.items) == module.MAX_SAMPLED_PAGES
    assert [suspect.html for suspect, _ in survey.suspects()] == [None] * 7
    assert survey.unlisted == 2993


def test_survey_stores_the_html_of_a_bounded_number_of_suspects() -> None:
    survey = Survey()
    for number in range(300):
        survey.add(article(f"https://{number}.example/", words=0), PAGE, options=OPTIONS)
    found = survey.suspects()
    assert len(found) == 300
    assert sum(suspect.html is not None for suspect, _ in found) == module.MAX_STORED


def test_survey_counts_articles_and_kinds() -> None:
    survey = Survey()
    for kind in ("article", "listing", "listing", None):
        lazy = LazyValues.known({"kind": kind})
        page = Article(text="word " * 99, url="/1", method="learned", _lazy=lazy)
        survey.add(page, PAGE, options=OPTIONS)
    survey.add(article(words=0), PAGE, options=OPTIONS)
    assert (survey.total.pages, survey.total.articles) == (5, 2)
    assert survey.total.kinds == {"article": 1, "listing": 2}


def test_walls_are_suspicious_and_index_pages_of_low_probability_are_not() -> None:
    wall = replace(surveyed(probability=0.9), kind="wall", is_article=False)
    assert [reason for _, reason in suspicions(wall, PageCounts())] == ["kind wall"]
    index = replace(surveyed(probability=0.1), kind="listing", is_article=False)
    assert suspicions(index, PageCounts()) == []


def test_reservoir_sample_contains_early_and_late_items_equally() -> None:
    sample: ReservoirSample[int] = ReservoirSample(200)
    for number in range(10_000):
        sample.add(number)
    assert len(sample.items) == 200
    assert 4000 < mean(sample.items) < 6000
