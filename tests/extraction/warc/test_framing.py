"""WARC files as they are: cut off, damaged, padded, with wrong lengths."""

from __future__ import annotations

import gzip
import io
import re
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_cetr.extraction.batch import Record
from scrapy_cetr.extraction.warc import framing, members, read_warc
from testkit.archives import warc_response

HTML = "Content-Type: text/html"
PAGES = 6


def body(number: int) -> bytes:
    # Longer than a chunk that is unpacked at a time for one of them.
    return b"<p>Page %d " % number + b"word " * (50_000 if number == 4 else 50)


def records() -> list[bytes]:
    return [warc_response(f"https://x.example/{n}", body(n), HTML) for n in range(PAGES)]


def plain(parts: Sequence[bytes]) -> bytes:
    return b"".join(parts)


def zipped(parts: Sequence[bytes]) -> bytes:
    return b"".join(gzip.compress(part) for part in parts)


def whole(parts: Sequence[bytes]) -> bytes:
    return gzip.compress(b"".join(parts))


FORMS = [plain, zipped, whole]
Form = Callable[[Sequence[bytes]], bytes]


def read(data: bytes) -> list[Record]:
    return list(read_warc(io.BytesIO(data), name="a.warc"))


def pages(found: Sequence[Record]) -> list[bytes]:
    return [bytes(record.html) for record in found if record.error is None]  # type: ignore[arg-type]


def errors(found: Sequence[Record]) -> list[str]:
    return [record.error for record in found if record.error is not None]


@pytest.mark.parametrize("form", FORMS)
def test_archive_has_all_pages_with_distinct_offsets(form: Form) -> None:
    found = read(form(records()))
    assert pages(found) == [body(n) for n in range(PAGES)]
    assert errors(found) == []
    offsets = [record.source_offset for record in found]
    assert offsets[0] == 0
    assert len({*offsets}) == PAGES
    first = found[0]
    assert (first.url, first.source_file) == ("https://x.example/0", "a.warc")
    assert first.record_id == "<urn:uuid:00000000-0000-0000-0000-000000000000>"
    assert first.warc_date == "2026-01-01T00:00:00Z"


def test_offset_is_that_of_the_member() -> None:
    parts = [gzip.compress(record) for record in records()]
    found = read(b"".join(parts))
    assert [record.source_offset for record in found] == [
        sum(map(len, parts[:n])) for n in range(PAGES)
    ]


@pytest.mark.parametrize("form", [plain, zipped])
@pytest.mark.parametrize("share", [0.01, 0.3, 0.99])
def test_cut_off_archive_loses_the_last_record_and_tells_it(form: Form, share: float) -> None:
    data, kept = form(records()), form(records()[:3])
    last = len(form(records()[:4])) - len(kept)
    found = read(data[: len(kept) + int(last * share)])
    assert pages(found) == [body(n) for n in range(3)]
    (error,) = errors(found)
    assert "lost" in error


def test_cut_off_record_has_its_url() -> None:
    found = read(plain(records())[:-40])
    assert found[-1].url == "https://x.example/5"
    assert errors(found) == ["the file ends in the middle of it; the record is lost"]


@pytest.mark.parametrize("number", range(PAGES))
def test_corrupt_member_costs_its_record_only(number: int) -> None:
    parts = [gzip.compress(record) for record in records()]
    middle = len(parts[number]) // 2
    parts[number] = parts[number][:middle] + b"\xff" * 20 + parts[number][middle + 20 :]
    found = read(b"".join(parts))
    assert pages(found) == [body(n) for n in range(PAGES) if n != number]
    (error,) = errors(found)
    offset = sum(map(len, parts[:number]))
    assert error.startswith(f"is damaged at byte {offset}, ")
    assert found[number].source_offset == offset


def test_member_without_its_beginning_is_skipped() -> None:
    parts = [gzip.compress(record) for record in records()]
    found = read(b"".join([*parts[:2], parts[2][5:], *parts[3:]]))
    assert pages(found) == [body(n) for n in range(PAGES) if n != 2]
    assert len(errors(found)) == 1


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("difference", [-200, -1, 1, 100, 10_000, 10_000_000])
@pytest.mark.parametrize("number", [0, 2, 4])
def test_record_with_a_wrong_length_is_read(form: Form, difference: int, number: int) -> None:
    parts = records()
    parts[number] = re.sub(
        rb"Content-Length: (\d+)",
        lambda match: b"Content-Length: %d" % max(int(match[1]) + difference, 0),
        parts[number],
        count=1,
    )
    found = read(form(parts))
    assert errors(found) == []
    assert [page.strip() for page in pages(found)] == [body(n).strip() for n in range(PAGES)]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("length", [b"", b"Content-Length: many\r\n"])
def test_record_without_a_length_is_read(form: Form, length: bytes) -> None:
    parts = [re.sub(rb"Content-Length: \d+\r\n", length, record) for record in records()]
    found = read(form(parts))
    assert errors(found) == []
    assert [page.strip() for page in pages(found)] == [body(n).strip() for n in range(PAGES)]


@pytest.mark.parametrize("form", [plain, zipped])
def test_padding_at_the_end_is_not_a_loss(form: Form) -> None:
    found = read(form(records()) + bytes(5000))
    assert errors(found) == []
    assert len(pages(found)) == PAGES


def test_something_else_between_members_is_a_loss() -> None:
    parts = [gzip.compress(record) for record in records()]
    found = read(parts[0] + b"something else" * 9 + parts[1])
    assert pages(found) == [body(0), body(1)]
    (error,) = errors(found)
    assert error == f"is damaged at byte {len(parts[0])}, 126 bytes are lost: is no gzip member"


@pytest.mark.parametrize(
    "data", [b"", b"no archive", gzip.compress(b"no archive", mtime=0), b"\n\n"]
)
def test_file_that_is_no_archive_is_an_error(data: bytes) -> None:
    (error,) = errors(read(data))
    assert error == "is not a WARC file, or contains no responses"


def test_record_that_is_too_long_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(framing, "LONGEST", 10_000)
    for form in FORMS:
        found = read(form(records()))
        assert pages(found) == [body(n) for n in range(PAGES) if n != 4]
        assert errors(found) == ["has more than 10,000 bytes"]


def test_many_wrong_lengths_in_one_member_end_in_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "_MAX_REWINDS", 3)
    long = b"<p>" + b"word " * 100_000
    parts = [warc_response(f"https://x.example/{n}", long, HTML) for n in range(9)]
    wrong = [part.replace(b"Content-Length: ", b"Content-Length: 9") for part in parts]
    found = read(whole(wrong))
    assert "the lengths of too many records are wrong" in errors(found)[-1]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damage_never_raises_and_costs_at_most_what_it_hits(data: st.DataObject) -> None:
    parts = [gzip.compress(record) for record in records()[:4]]
    hit = data.draw(st.integers(0, 3))
    place = data.draw(st.integers(0, len(parts[hit]) - 1))
    new = data.draw(st.binary(min_size=1, max_size=30))
    parts[hit] = parts[hit][:place] + new + parts[hit][place + len(new) :]
    found = read(b"".join(parts))
    intact = [body(n) for n in range(4) if n != hit]
    assert [page for page in pages(found) if page in intact] == intact
    offsets = [record.source_offset for record in found]
    assert len({*offsets}) == len(offsets)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400), st.booleans())
def test_any_bytes_end_in_records(data: bytes, is_zipped: bool) -> None:
    start = b"WARC/1.0\r\nWARC-Type: response\r\n"
    for given_data in (data, start + data):
        found = read(gzip.compress(given_data) if is_zipped else given_data)
        # Each is a page, or says what is lost.
        assert all((record.error is None) == bool(record.html) for record in found)
