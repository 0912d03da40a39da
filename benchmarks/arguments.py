"""Arguments that several benchmark commands share, and checks of their values."""

import argparse
import os
from math import inf, nan
from pathlib import Path
from typing import NoReturn

from benchmarks.contenders import ALL
from benchmarks.errors import BenchmarkError

WRONG_USAGE = 2


class OneLineParser(argparse.ArgumentParser):
    """A parser whose errors take one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        """Raise the error instead of exiting."""
        raise BenchmarkError(message)


def positive(written: str) -> int:
    """Read a whole number of at least one."""
    if not written.isdecimal() or int(written) < 1:
        raise argparse.ArgumentTypeError(
            f"{written!r} is given; a whole number of at least 1 is accepted"
        )
    return int(written)


def page_size(written: str) -> float:
    """Read the size of a page in MB."""
    try:
        size = float(written)
    except ValueError:
        size = nan
    if not 0 < size < inf:
        raise argparse.ArgumentTypeError(f"{written!r} is given; a size above 0 is accepted")
    return size


def new_file(written: str) -> Path:
    """Read the path of a file to write, so that a wrong one is an error before the measurements."""
    path = Path(written)
    if path.is_dir() or not path.parent.is_dir():
        raise argparse.ArgumentTypeError(
            f"{written!r} is given; a file in a directory that exists is accepted"
        )
    return path


def existing_file(written: str) -> Path:
    """Read the path of a file that exists."""
    path = Path(written)
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"{written!r} is given; a file that exists is accepted")
    return path


def add_markdown(parser: argparse.ArgumentParser) -> None:
    """Add the argument of all commands that print a table."""
    parser.add_argument(
        "--markdown", type=new_file, metavar="FILE", help="also write the table to this file"
    )


def add_contenders(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of commands that compare extractors."""
    parser.add_argument(
        "--methods",
        nargs="*",
        default=[ALL],
        metavar="METHOD",
        help="methods of scrapy-cetr (default: all), with options as in cetr:rows=lines,lam=0.5",
    )
    parser.add_argument(
        "--peers", nargs="*", default=[], metavar="PEER", help="other extractors by name, or all"
    )
    parser.add_argument(
        "--options",
        nargs="*",
        default=[],
        metavar="KEY=VALUE",
        help="options for all methods of scrapy-cetr",
    )
    add_markdown(parser)


def add_corpora(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of commands that read corpora."""
    parser.add_argument("corpora", nargs="+", type=Path, help=".jsonl or .jsonl.gz files")
    parser.add_argument("--type", help="keep only pages of this type, such as article")
    parser.add_argument(
        "--limit", type=positive, metavar="N", help="take N pages, spread evenly over each file"
    )
    parser.add_argument(
        "--progress", action="store_true", help="show a progress bar even without a terminal"
    )


def add_timing(parser: argparse.ArgumentParser, *, repeat: int) -> None:
    """Add the arguments of commands that measure time."""
    parser.add_argument(
        "--repeat",
        type=positive,
        default=repeat,
        metavar="R",
        help=f"runs per page; the median is taken (default: {repeat})",
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="S", help="seed for random numbers (default: 0)"
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add the number of processes."""
    cores = os.cpu_count() or 1
    parser.add_argument(
        "--jobs",
        type=positive,
        default=cores,
        metavar="N",
        help=f"number of processes (default: {cores}, one per core)",
    )
