"""One report of the surveys of several processes."""

from __future__ import annotations

from pathlib import Path
from statistics import mean

import pytest

from scrapy_cetr.extraction import Article, Options
from scrapy_cetr.reports import merging
from scrapy_cetr.reports import survey as module
from scrapy_cetr.reports.merging import merge_reports, merge_survey
from scrapy_cetr.reports.recorder import CrawlReporter
from scrapy_cetr.reports.survey import OTHER_SITES, ReservoirSample, Survey
from scrapy_cetr.reports.survey_state import load_survey, save_survey
from testkit.commands import scrapy

OPTIONS = Options()


def surveyed(*numbers: int, site: str = "x.example") -> Survey:
    survey = Survey()
    for number in numbers:
        url = f"https://{site}/{number}"
        article = Article(text="word " * number, url=url, method="cetr", page_chars=1000)
        survey.add(article, f"<p>{number}", options=OPTIONS)
    return survey


def test_merged_survey_is_that_of_all_pages() -> None:
    merged = surveyed(*range(100, 120))
    merge_survey(merged, surveyed(*range(120, 130)))
    merge_survey(merged, surveyed(5, site="y.example"))
    whole = surveyed(*range(100, 130))
    assert merged.pages == 31
    assert merged.words == whole.words + 5
    assert {name: site.pages for name, site in merged.sites.items()} == {
        "x.example": 30,
        "y.example": 1,
    }
    words = merged.sites["x.example"].words
    assert sorted(words.items) == sorted(whole.sites["x.example"].words.items)
    assert words.added == 30
    assert [suspect.page.url for suspect, _ in merged.suspects()] == ["https://y.example/5"]


def test_merged_samples_are_as_likely_as_those_of_one_process() -> None:
    shares = []
    for number in range(200):
        one, other = ReservoirSample[int](20), ReservoirSample[int](20)
        one.restore([0] * 20, 300 + number)
        other.restore([1] * 20, 100)
        one.merge(other)
        assert len(one.items) == 20
        assert one.added == 400 + number
        shares.append(mean(one.items))
    assert 0.15 < mean(shares) < 0.3


def test_limits_hold_for_merged_surveys(monkeypatch: pytest.MonkeyPatch) -> None:
    for where in (module, merging):
        monkeypatch.setattr(where, "MAX_SITES", 3)
    monkeypatch.setattr(module, "MAX_SUSPECTS", 4)
    monkeypatch.setattr(module, "MAX_STORED", 2)
    merged = Survey()
    for number in range(6):
        merge_survey(merged, surveyed(number, site=f"s{number}.example"))
    assert sorted(merged.sites) == [OTHER_SITES, "s0.example", "s1.example", "s2.example"]
    assert len(merged.candidates) == 4
    assert merged.unlisted == 2
    assert sum(one.compressed_html is not None for one in merged.candidates) == 2
    assert merged.suspects()


def test_report_with_the_suffix_of_a_survey_can_be_merged(tmp_path: Path) -> None:
    reporter = CrawlReporter(tmp_path / "report-%(process)s.json.gz")
    article = Article(text="word " * 100, url="https://x.example/", method="cetr", page_chars=900)
    reporter.add(article, "<p>One", options=OPTIONS)
    reporter.write("news")
    (file,) = tmp_path.iterdir()
    assert "%" not in file.name
    assert load_survey(file).pages == 1


def test_command_merges_reports(tmp_path: Path) -> None:
    for number in range(2):
        save_survey(surveyed(3, 100 + number), tmp_path / f"{number}.json.gz")
    words = ("cetr", "--merge-reports", "0.json.gz", "1.json.gz", "--report", "all.html")
    done = scrapy(*words, folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert "report on 4 pages of 2 processes written to all.html" in done.stderr
    assert "Crawl of 2 processes" in (tmp_path / "all.html").read_text()


def test_file_that_is_no_survey_is_named(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("other")
    with pytest.raises(ValueError, match="other: is not the survey of a crawl: "):
        merge_reports([tmp_path / "other"], tmp_path / "all.html")
    done = scrapy("cetr", "--merge-reports", "none", "--report", "all.html", folder=tmp_path)
    assert done.returncode == 1
    assert "none: is not the survey of a crawl: No such file" in done.stderr


@pytest.mark.parametrize("words", [("--report", "x.html"), ("a.json.gz",)])
def test_command_without_files_or_report_says_what_it_needs(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    done = scrapy("cetr", "--merge-reports", *words, folder=tmp_path)
    assert done.returncode == 2
    assert "--merge-reports needs the files of crawls, and --report FILE" in done.stderr
