"""Finds the stored files of the arguments of ``scrapy cetr``: files, folders and glob patterns."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from glob import has_magic, iglob
from hashlib import blake2b
from pathlib import Path

STANDARD_INPUT = "-"
HTML_SUFFIXES = (".html", ".htm", ".xhtml")
JSON_LINES_SUFFIXES = (".jsonl", ".ndjson")
WARC_SUFFIXES = (".warc",)
PARQUET_SUFFIXES = (".parquet",)
MANY_PAGES = (*JSON_LINES_SUFFIXES, *WARC_SUFFIXES, *PARQUET_SUFFIXES)


@dataclass(frozen=True, kw_only=True)
class StoredFile:
    """A file with pages, and its path below the folder that all arguments have in common."""

    path: Path
    output_path: str

    @cached_property
    def size(self) -> int:
        """The size in bytes; 0 if the file cannot be read."""
        try:
            return self.path.stat().st_size
        except OSError:
            return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredInputs:
    """The arguments that are not URLs. Files of the output are not among their files."""

    words: Sequence[str]
    excluded: Collection[Path] = ()

    def files(self, word: str) -> Iterator[StoredFile]:
        """Yield the files of an argument, sorted; one folder is listed at a time.

        A folder that cannot be listed is among them, so that reading it tells why.
        """
        base, folder, below = self._common_folder(), None, ""
        for path in self._paths(word):
            parent, name = os.path.split(path)
            if parent != folder:
                folder, below = parent, os.path.relpath(os.path.abspath(parent), base)  # noqa: PTH100
            yield StoredFile(path=path, output_path=name if below == "." else f"{below}/{name}")

    def _paths(self, word: str) -> Iterator[Path]:
        path = Path(word)
        if path.is_dir():
            yield from self._walk(path)
        elif has_magic(word) and not path.exists():
            for name in sorted(iglob(word, recursive=True)):  # noqa: PTH207 (absolute pattern)
                found = Path(name)
                if found.is_dir() and "**" not in word:
                    yield from self._walk(found)
                elif found.is_file() and not self._is_excluded(found):
                    yield found
        else:
            yield path

    def _walk(self, folder: Path) -> Iterator[Path]:
        try:
            with os.scandir(folder) as entries:
                # Names take less memory than paths, and entries know what they are without a
                # system call for each of them.
                found = sorted(
                    (entry.name, is_folder)
                    for entry in entries
                    if (is_folder := entry.is_dir(follow_symlinks=False))
                    or (_holds_pages(entry.name) and entry.is_file())
                )
        except OSError:
            yield folder
            return
        for name, is_folder in found:
            path = folder / name
            if self._is_excluded(path):
                continue
            if is_folder:
                yield from self._walk(path)
            else:
                yield path

    def _is_excluded(self, path: Path) -> bool:
        # Names are compared first, as resolving takes time.
        return any(path.name == out.name and path.resolve() == out for out in self.excluded)

    def _common_folder(self) -> str:
        words = (word for word in self.words if word != STANDARD_INPUT)
        roots = [os.path.abspath(_root(word)) for word in words]  # noqa: PTH100
        common = os.path.commonpath(roots)
        return common if Path(common).is_dir() else str(Path(common).parent)

    def survey(self) -> tuple[int, int, str]:
        """Return the number of files, their size in bytes, and a hash of their names and sizes."""
        number, size, digest = 0, 0, blake2b(digest_size=16)
        for word in self.words:
            if word == STANDARD_INPUT:
                digest.update(b"-\n")
                continue
            for file in self.files(word):
                number, size = number + 1, size + file.size
                digest.update(os.fsencode(file.path) + b"\0%d\n" % file.size)
        return number, size, digest.hexdigest()


def _root(word: str) -> str:
    """Return the part of a pattern before its first folder with special characters."""
    path = Path(word)
    if path.exists():
        return word
    while has_magic(str(path)):
        path = path.parent
    return str(path)


def is_one_page(word: str) -> bool:
    """Return whether an argument is a file that holds a single page."""
    path = Path(word)
    if path.is_dir() or (has_magic(word) and not path.exists()):
        return False
    return word != STANDARD_INPUT and file_suffix(path.name) not in MANY_PAGES


def file_suffix(name: str) -> str:
    """Return the suffix that says what a file contains.

    >>> file_suffix("crawl.WARC.gz")
    '.warc'
    """
    return os.path.splitext(name.lower().removesuffix(".gz"))[1]  # noqa: PTH122


def _holds_pages(name: str) -> bool:
    return file_suffix(name) in (*HTML_SUFFIXES, *MANY_PAGES)


def is_gold(name: str) -> bool:
    """Tell whether a file of --check has gold lines; others have rules."""
    return name.lower().endswith((".jsonl", ".jsonl.gz"))
