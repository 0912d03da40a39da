"""The memory of all sites: bounds, files, and sites that cannot harm each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapy_cetr.extraction.memory.site import Observation, SiteMemoryError
from scrapy_cetr.extraction.memory.store import CrawlMemory, site_of


def seen(*rows: int) -> Observation:
    keys = list(rows)
    return Observation(keys, keys, [True] * len(keys), [keys[-1], *keys])


def asked(*rows: int) -> Observation:
    """Observe a page without long rows, so that it is no copy of another."""
    return seen(*rows)._replace(sketch=[0])


def test_site_is_the_host_without_www() -> None:
    assert site_of("https://www.news.example/a") == site_of("http://news.example:80/b")
    assert site_of(None) is site_of("page.html") is site_of("http://[") is None


def test_sites_are_kept_apart() -> None:
    memory = CrawlMemory()
    for page in range(50):
        memory.learn("bad.example", seen(*range(page, page + 30)))
    memory.learn("good.example", seen(5))
    assert memory.of("good.example").pages == 1
    assert memory.of("unknown.example").pages == 0
    assert len(memory) == 2


def test_site_with_many_pages_is_bounded_and_costs_no_other_site_anything() -> None:
    memory = CrawlMemory(max_bytes=1_000_000)
    memory.learn("good.example", seen(1, 2, 3))
    good = memory.of("good.example").to_bytes()
    for page in range(300):
        memory.learn("bad.example", seen(*range(page * 400, page * 400 + 400)))
    assert memory.of("bad.example").size < 300_000
    assert memory.of("good.example").to_bytes() == good


def test_sites_beyond_the_latest_are_compact() -> None:
    memory = CrawlMemory()
    for number in range(600):
        memory.learn(f"{number}.example", seen(*range(20)))
    sizes = [one.size for _, one in memory.sites]
    assert max(sizes[:300]) < min(sizes[-100:]) / 3
    assert memory.size == sum(sizes)


def test_sites_that_were_not_asked_for_are_forgotten_first() -> None:
    memory = CrawlMemory(max_bytes=5000)
    for number in range(200):
        memory.learn(f"{number}.example", seen(*range(10)))
        memory.of("0.example")
        assert memory.size <= 5000
    assert memory.of("0.example").pages == memory.of("199.example").pages == 1
    assert memory.of("1.example").pages == 0


def test_file_keeps_all_sites_and_files_are_merged(tmp_path: Path) -> None:
    first, second = CrawlMemory(), CrawlMemory()
    first.learn("a.example", seen(1, 2))
    second.learn("a.example", seen(1, 3))
    second.learn("b.example", seen(4))
    for name, memory in (("first", first), ("second", second)):
        memory.save(tmp_path / name)
    merged = CrawlMemory()
    merged.load(tmp_path / "first")
    merged.load(tmp_path / "second")
    assert merged.of("a.example").pages == 2
    assert merged.of("a.example").look_up(asked(1, 2, 3, 4)).on_pages == [2, 1, 1, 0]
    assert merged.of("b.example").pages == 1


def test_damaged_file_is_refused_and_nothing_of_it_is_taken(tmp_path: Path) -> None:
    memory, path = CrawlMemory(), tmp_path / "memory.bin"
    for name in ("a.example", "b.example"):
        memory.learn(name, seen(1, 2))
    memory.save(path)
    data = path.read_bytes()
    damaged = [data[:-1], data[:50], b"", b"PK\3\4", data + b"x"]
    damaged += [
        data[:index] + bytes([data[index] ^ 1]) + data[index + 1 :] for index in (3, 20, 90)
    ]
    for forged in damaged:
        path.write_bytes(forged)
        found = CrawlMemory()
        with pytest.raises(SiteMemoryError, match=r"memory\.bin"):
            found.load(path)
        assert len(found) == 0
