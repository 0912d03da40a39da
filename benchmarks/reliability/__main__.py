"""The command line: ``python -m benchmarks.reliability pages|encodings|crawls|runs``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import reliability
from benchmarks.arguments import WRONG_USAGE, OneLineParser, add_contenders, page_size, positive
from benchmarks.contenders import choose_contenders
from benchmarks.document import write_table
from benchmarks.errors import BenchmarkError
from benchmarks.reliability.crawls import crawls_table, run_faults
from benchmarks.reliability.encodings import encodings_table
from benchmarks.reliability.pages import contenders_table, extract_all, traps_table
from benchmarks.reliability.runs import crawl_pages, extract_pages, runs_table
from benchmarks.speed import MEGABYTE
from benchmarks.table import Table, as_text
from testkit.hostile import TRAPS


def make_parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    parser = OneLineParser(prog="benchmarks.reliability", description=reliability.__doc__)
    parser.add_argument(
        "--into", type=Path, metavar="FILE", help="replace the tables in this Markdown file"
    )
    commands = parser.add_subparsers(dest="command", required=True)
    pages = commands.add_parser("pages", help="extract hostile pages, each in its own process")
    add_contenders(pages)
    pages.add_argument("--size", type=page_size, default=10.0, metavar="MB")
    pages.add_argument("--seconds", type=positive, default=30, help="limit of CPU time per page")
    pages.add_argument("--traps", type=positive, metavar="N", help="take only the first N pages")
    pages.set_defaults(run=run_pages)
    encodings = commands.add_parser("encodings", help="compare the decoding of pages with Scrapy's")
    encodings.set_defaults(run=lambda _: {"encodings": encodings_table()})
    crawls = commands.add_parser("crawls", help="crawl servers that misbehave")
    crawls.set_defaults(run=lambda _: {"crawls": crawls_table(run_faults())})
    runs = commands.add_parser("runs", help="measure memory, files and processes of long runs")
    runs.add_argument("--extractions", type=positive, default=200_000, metavar="N")
    runs.add_argument("--pages", type=positive, default=50_000, metavar="N")
    runs.add_argument("--workers", nargs="+", type=int, default=[0, 2], metavar="N")
    runs.set_defaults(run=run_runs)
    return parser


def run_pages(args: argparse.Namespace) -> dict[str, Table]:
    """Extract all hostile pages with all contenders, with a line of progress for each."""
    contenders = choose_contenders(methods=args.methods, peers=args.peers, options=args.options)
    found = {}
    for (label, trap), one in extract_all(
        contenders,
        traps=list(TRAPS)[: args.traps],
        size=round(args.size * MEGABYTE),
        seconds=args.seconds,
    ):
        found[label, trap] = one
        print(f"{label}: {trap}: {one.outcome}, {one.seconds:.1f} s", file=sys.stderr, flush=True)
    if not args.peers:
        return {"ours": contenders_table(found)}
    return {"extractors": contenders_table(found), "pages": traps_table(found)}


def run_runs(args: argparse.Namespace) -> dict[str, Table]:
    """Measure long runs: first the library alone, then crawls."""
    runs = [extract_pages(args.extractions)]
    runs += [crawl_pages(args.pages, workers=workers) for workers in args.workers]
    return {"runs": runs_table(runs)}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code."""
    try:
        args = make_parser().parse_args(argv)
        for name, table in args.run(args).items():
            print(f"{name}\n{as_text(table)}\n")
            if args.into:
                write_table(args.into, name, table)
    except BenchmarkError as error:
        print(f"benchmarks.reliability: {' '.join(str(error).split())}", file=sys.stderr)
        return WRONG_USAGE
    return 0


if __name__ == "__main__":
    sys.exit(main())
