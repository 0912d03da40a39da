"""Corpora and contenders of the benchmarks, and the commands accuracy, speed and growth."""

import gzip
import json
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.accuracy import score, words
from benchmarks.contenders import Contender, choose_contenders, parse_method
from benchmarks.corpus import open_corpus, read_pages
from benchmarks.errors import BenchmarkError
from benchmarks.growth import generate_page
from benchmarks.memory import peak_bytes
from benchmarks.peers import PEERS
from benchmarks.speed import CorpusSpeed, Timing, byte_size, speed_rows, time_pages

Record = dict[str, str | None]

SENTENCES = (
    "The river rose again in the night, and the people of the valley left their houses. ",
    "Nobody was hurt, said the mayor, who had been on her feet since the rain began. ",
    "By the end of the week the water should be gone, and with it most of the harvest. ",
)
MARKUP = (
    "<html><head><title>News</title></head><body>\n"
    "<ul>\n<li><a href='/'>Home</a></li>\n<li><a href='/s'>Sport</a></li>\n</ul>\n"
    "<div id='article'>\n{paragraphs}\n</div>\n"
    "<p><a href='/imprint'>Imprint</a></p>\n</body></html>"
)


def article_html(repeat: int) -> str:
    paragraphs = (f"<p>{sentence * repeat}</p>" for sentence in SENTENCES)
    return MARKUP.format(paragraphs="\n".join(paragraphs))


def article_text(repeat: int) -> str:
    return "\n".join(sentence * repeat for sentence in SENTENCES)


def record(number: int, **changes: str | None) -> Record:
    page: Record = {
        "id": f"page-{number}",
        "url": f"http://example.com/{number}",
        "type": "forum" if number % 2 else "article",
        "html": article_html(number % 3 + 3),
        "text": article_text(number % 3 + 3),
    }
    return {**page, **changes}


def write_corpus(path: Path, records: list[Record]) -> Path:
    content = "".join(json.dumps(page) + "\n" for page in records).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_corpus(tmp_path / "tiny.jsonl", [record(number) for number in range(6)])


def table_rows(output: str) -> list[list[str]]:
    """Split the first table of an output into the cells under its headers."""
    return [line.split() for line in output.split("\n\n")[0].splitlines()[2:]]


# Corpora


@pytest.mark.parametrize("name", ["tiny.jsonl", "tiny.jsonl.gz"])
def test_corpus_can_be_plain_or_gzipped(tmp_path: Path, name: str) -> None:
    path = write_corpus(tmp_path / name, [record(0, url=None, extra="ignored"), record(1)])
    first, second = read_pages(path)
    assert (first.id, first.url, first.type) == ("page-0", None, "article")
    assert second.html == record(1)["html"]
    assert open_corpus(path).name == "tiny"


def test_corpus_skips_blank_lines(corpus: Path) -> None:
    corpus.write_text(corpus.read_text() + "\n\n")
    assert len(open_corpus(corpus).chosen) == 6


def test_corpus_limit_is_spread_over_the_pages_of_a_type(corpus: Path) -> None:
    assert open_corpus(corpus, limit=3).chosen == (0, 2, 4)
    chosen = open_corpus(corpus, page_type="forum", limit=2)
    assert [page.id for page in chosen.pages()] == ["page-1", "page-3"]
    assert len(open_corpus(corpus, limit=100).chosen) == 6


# Contenders


def test_options_of_a_method_override_common_options() -> None:
    contender = parse_method("cetr:lam=0.5,k=3", common={"lam": 1, "rows": "lines"})
    assert contender == Contender("cetr", (("lam", 0.5), ("rows", "lines"), ("k", 3)))
    assert contender.label == "cetr:lam=0.5,rows=lines,k=3"


def test_contenders_named_twice_are_measured_once() -> None:
    chosen = choose_contenders(methods=["cetr", "all"], peers=["all-text", "all-text"])
    labels = [contender.label for contender in chosen]
    assert labels[0] == "cetr"
    assert labels[-1] == "all-text"
    assert len(labels) == len(set(labels)) > 2


@pytest.mark.parametrize("name", PEERS)
def test_peer_extracts_the_article(name: str) -> None:
    try:
        text = PEERS[name](article_html(5))
    except BenchmarkError as missing:
        pytest.skip(str(missing))
    assert score(words(text), words(article_text(5))).f1 > 0.95


def test_score_of_the_example_in_the_line_block_paper() -> None:
    gold = words("Title Some text in the body")
    found = score(words("Title Copyright Some text in"), gold)
    assert (found.recall, found.precision) == (4 / 6, 4 / 5)
    assert found.f1 == pytest.approx(8 / 11)


# Commands


def test_accuracy_command_prints_a_table(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["accuracy", str(corpus), "--methods", "cetr", "--jobs", "1"]) == 0
    captured = capsys.readouterr()
    header = "corpus contender P R F1 median F1 H first ¶ last ¶ pages failures"
    assert captured.out.splitlines()[0].split() == header.split()
    assert captured.err == ""
    ((name, contender, *figures, pages, failures),) = table_rows(captured.out)
    assert (name, contender, pages, failures) == ("tiny", "cetr", "6", "0")
    assert all(0.5 < float(figure) <= 1 for figure in figures)


def test_accuracy_command_averages_the_scores_of_pages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [
        record(0, html="<p>one two three four</p>", text="one two"),  # P 1/2, R 1, F1 2/3
        record(1, html="<p>one two</p>", text="one two three four"),  # P 1, R 1/2, F1 2/3
        record(2, html="<p>one</p>", text=""),  # 0
        record(3, html="", text=""),  # 1
    ]
    path = write_corpus(tmp_path / "sums.jsonl.gz", pages)
    command = ["accuracy", str(path), "--methods", "--peers", "all-text", "--jobs", "1"]
    assert main(command) == 0
    # P and R are (1/2 + 1 + 0 + 1) / 4, F1 is (2/3 + 2/3 + 0 + 1) / 4.
    figures = ["0.6250", "0.6250", "0.5833", "0.6667", "0.6250", "n/a", "n/a"]
    assert table_rows(capsys.readouterr().out) == [["sums", "all-text", *figures, "4", "0"]]


def test_accuracy_command_scores_first_and_last_paragraphs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, last = ("one two three four five six seven eight nine ten", "ten " * 9 + "eleven")
    html = "<p>One two three four.<p>" + last
    pages = [
        record(0, html=html, text=f"A headline\n{first}\n{last}"),
        record(1, html=html, text=""),
    ]
    path = write_corpus(tmp_path / "ends.jsonl", pages)
    command = ["accuracy", str(path), "--methods", "--peers", "all-text", "--jobs", "1"]
    assert main(command) == 0
    # Two of the 8 shingles of the first paragraph are kept, and all of the last paragraph.
    ((*_, of_first, of_last, _, _),) = table_rows(capsys.readouterr().out)
    assert (of_first, of_last) == ("0.2500", "1.0000")


def test_accuracy_does_not_depend_on_jobs(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for jobs in ("1", "2"):
        assert main(["accuracy", str(corpus), "--jobs", jobs, "--worst", "3"]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]


def test_accuracy_command_scores_failures_as_empty_texts(
    corpus: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(html: str) -> str:
        raise RuntimeError(html)

    monkeypatch.setattr("benchmarks.contenders.PEERS", {"broken": fail})
    command = ["accuracy", str(corpus), "--methods", "--peers", "broken", "--jobs", "1"]
    assert main(command) == 0
    assert table_rows(capsys.readouterr().out) == [
        ["tiny", "broken", *["0.0000"] * 7, "6", "6"],
    ]


def test_accuracy_command_takes_variants_and_a_page_type(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    methods = ["--methods", "cetr:rows=lines", "cetr"]
    assert main(["accuracy", str(corpus), *methods, "--type", "article", "--jobs", "1"]) == 0
    rows = table_rows(capsys.readouterr().out)
    assert [row[1] for row in rows] == ["cetr:rows=lines", "cetr"]
    assert [row[-2] for row in rows] == ["3", "3"]


def test_accuracy_command_lists_the_worst_pages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [record(0), record(1, text="something else", url=None), record(2)]
    path = write_corpus(tmp_path / "tiny.jsonl", pages)
    assert main(["accuracy", str(path), "--worst", "1", "--jobs", "1"]) == 0
    _, listing = capsys.readouterr().out.split("\n\n")
    title, _, _, row = listing.splitlines()
    assert title == "worst of learned on tiny:"
    kept = row.split()[-2]
    assert row.split() == ["page-1", "n/a", "0.0000", "0.0000", "0.0000", kept, "2"]


def test_accuracy_command_writes_a_markdown_file(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "table.md"
    command = ["accuracy", str(corpus), "--methods", "cetr", "--jobs", "1"]
    assert main([*command, "--markdown", str(target)]) == 0
    header, ruler, row = target.read_text().splitlines()
    assert header.startswith("| corpus | contender | P | R | F1 |")
    assert ruler.startswith("|---|---|---:|")
    assert row.strip("| ").split(" | ") == table_rows(capsys.readouterr().out)[0]


def test_accuracy_command_shows_progress_if_forced(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["accuracy", str(corpus), "--methods", "cetr", "--jobs", "1", "--progress"]) == 0
    assert "6/6" in capsys.readouterr().err


def test_speed_command_prints_a_table(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["speed", str(corpus), "--methods", "cetr", "--peers", "all-text"]
    assert main([*command, "--limit", "4", "--repeat", "2", "--seed", "7"]) == 0
    output = capsys.readouterr().out
    assert output.splitlines()[0].endswith("× all-text")
    ours, peer = table_rows(output)
    assert ours[:2] == ["tiny", "cetr"]
    assert all(float(figure) > 0 for figure in ours[2:6])
    assert ours[7:9] == ["4", "0"]
    assert peer[-1] == "1.00"


def test_speed_rows_compare_with_peers() -> None:
    ours = Timing(contender=Contender("cetr"), seconds=[0.002, 0.001, 0.006])
    peer = Timing(contender=Contender("all-text", is_peer=True), seconds=[0.004] * 3, failures=1)
    speed = CorpusSpeed(corpus="c", size=36_000, timings=[ours, peer], peaks=[2_500_000, None])
    assert speed_rows(speed) == [
        ["c", "cetr", "3.00", "2.00", "6.00", "4.00", "2.5", "3", "0", "0.75"],
        ["c", "all-text", "4.00", "4.00", "4.00", "3.00", "n/a", "3", "1", "1.00"],
    ]


def test_timing_measures_every_page_with_every_contender() -> None:
    contenders = choose_contenders(methods=["cetr"], peers=["all-text"])
    pages = ["<p>one</p>", "<p>two</p>", "<p>three</p>"]
    timings = time_pages(pages, warm_up=pages[0], contenders=contenders, repeat=3, seed=0)
    assert [(timing.contender, len(timing.seconds)) for timing in timings] == [
        (contender, 3) for contender in contenders
    ]
    assert Timing(contender=contenders[0]).failures == timings[0].failures == 0


def test_growth_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["growth", "--methods", "cetr", "--sizes", "0.04", "0.02", "--repeat", "1"]
    assert main(command) == 0
    output = capsys.readouterr().out
    assert "× linear from 0.02" in output.splitlines()[0]
    small, large = table_rows(output)
    assert small[3] == "1.00"
    assert float(small[1]) == pytest.approx(0.02, rel=0.2)
    assert float(large[1]) == pytest.approx(0.04, rel=0.2)
    assert small[-1] == large[-1] == "no"


def test_generated_pages_have_the_wanted_size_and_depend_on_the_seed() -> None:
    page = generate_page(100_000, seed=1)
    assert byte_size(page) == pytest.approx(100_000, rel=0.02)
    assert page == generate_page(100_000, seed=1) != generate_page(100_000, seed=2)
    assert page.count("<p ") > 50


def test_peak_memory_of_a_function_is_measured() -> None:
    peak = peak_bytes(lambda: len(b"x" * 50_000_000))
    if peak is None:
        pytest.skip("the peak cannot be reset on this system")
    assert peak == pytest.approx(50_000_000, rel=0.1)
