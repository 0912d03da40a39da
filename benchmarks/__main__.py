"""The command line: ``python -m benchmarks accuracy|metadata|speed|whole|growth|crawl``."""

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from math import inf, nan
from pathlib import Path
from typing import NoReturn

import benchmarks
from benchmarks.accuracy import accuracy_rows, accuracy_table, judge_corpus, worst_table
from benchmarks.contenders import ALL, Contender, choose_contenders
from benchmarks.corpus import Corpus, open_corpus
from benchmarks.crawl import crawl_table, crawl_variants, run_crawl
from benchmarks.crawl_process import Crawled
from benchmarks.crawl_server import generated_pages, serving
from benchmarks.errors import BenchmarkError
from benchmarks.growth import growth_table, measure_growth
from benchmarks.metadata import (
    FIELDS,
    choose_readers,
    failure_table,
    judge_metadata,
    metadata_rows,
    metadata_table,
)
from benchmarks.speed import MEGABYTE, measure_corpus, speed_rows, speed_table
from benchmarks.table import as_text, show
from benchmarks.whole import whole_rows, whole_table

WRONG_USAGE = 2
DIFFERENT_PAGES = 200
SIZES = [0.25, 1.0, 4.0, 10.0]


class OneLineParser(argparse.ArgumentParser):
    """A parser that leaves the usage out of its errors, as ``--help`` shows it."""

    def error(self, message: str) -> NoReturn:
        """Raise the error instead of leaving the program."""
        raise BenchmarkError(message)


def positive(written: str) -> int:
    """Read a whole number of at least one."""
    if not written.isdecimal() or int(written) < 1:
        raise argparse.ArgumentTypeError(
            f"{written!r} is given; a whole number of at least 1 is accepted"
        )
    return int(written)


def page_size(written: str) -> float:
    """Read a size in MB that a page can have."""
    try:
        size = float(written)
    except ValueError:
        size = nan
    if not 0 < size < inf:
        raise argparse.ArgumentTypeError(f"{written!r} is given; a size above 0 is accepted")
    return size


def new_file(written: str) -> Path:
    """Read where to write a file, before hours of measuring end in an error."""
    path = Path(written)
    if path.is_dir() or not path.parent.is_dir():
        raise argparse.ArgumentTypeError(
            f"{written!r} is given; a file in a directory that exists is accepted"
        )
    return path


def add_markdown(parser: argparse.ArgumentParser) -> None:
    """Add what every command takes."""
    parser.add_argument(
        "--markdown", type=new_file, metavar="FILE", help="also write the table to this file"
    )


def add_contenders(parser: argparse.ArgumentParser) -> None:
    """Add what the commands that compare extractors take."""
    parser.add_argument(
        "--methods",
        nargs="*",
        default=[ALL],
        metavar="METHOD",
        help="our methods, by default all; with options as in cetr:rows=lines,lam=0.5",
    )
    parser.add_argument(
        "--peers", nargs="*", default=[], metavar="PEER", help="other extractors by name, or all"
    )
    parser.add_argument(
        "--options",
        nargs="*",
        default=[],
        metavar="KEY=VALUE",
        help="options given to every one of our methods",
    )
    add_markdown(parser)


def add_corpora(parser: argparse.ArgumentParser) -> None:
    """Add what the commands that read corpora take."""
    parser.add_argument("corpora", nargs="+", type=Path, help=".jsonl or .jsonl.gz files")
    parser.add_argument("--type", help="keep only pages of this type, such as article")
    parser.add_argument(
        "--limit", type=positive, metavar="N", help="take N pages, spread evenly over each file"
    )
    parser.add_argument(
        "--progress", action="store_true", help="show a progress bar even where no terminal is"
    )


def add_timing(parser: argparse.ArgumentParser, *, repeat: int) -> None:
    """Add what the commands that measure time take."""
    parser.add_argument(
        "--repeat",
        type=positive,
        default=repeat,
        metavar="R",
        help=f"runs per page, of which the median counts (default: {repeat})",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed of what is random")


def make_parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    parser = OneLineParser(prog="benchmarks", description=benchmarks.__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    accuracy = commands.add_parser("accuracy", help="compare the words kept with gold texts")
    add_corpora(accuracy)
    add_contenders(accuracy)
    cores = os.cpu_count() or 1
    accuracy.add_argument("--jobs", type=positive, default=cores, metavar="N", help="processes")
    accuracy.add_argument(
        "--worst", type=positive, metavar="N", help="list the worst N pages of the first contender"
    )
    accuracy.set_defaults(run=run_accuracy)

    metadata = commands.add_parser(
        "metadata", help="compare title, author and date with those that a corpus gives"
    )
    add_corpora(metadata)
    metadata.add_argument(
        "--peers", nargs="*", default=[], metavar="PEER", help="other readers by name, or all"
    )
    add_markdown(metadata)
    metadata.add_argument(
        "--failures", choices=FIELDS, help="list the pages whose value of this field is not right"
    )
    metadata.set_defaults(run=run_metadata)

    speed = commands.add_parser("speed", help="compare time and memory on the same pages")
    add_corpora(speed)
    add_contenders(speed)
    add_timing(speed, repeat=1)
    speed.set_defaults(run=run_speed)

    whole = commands.add_parser("whole", help="show what a whole article costs beside its text")
    add_corpora(whole)
    whole.add_argument("--repeat", type=positive, default=3, metavar="R", help="runs per page")
    add_markdown(whole)
    whole.set_defaults(run=run_whole)

    growth = commands.add_parser("growth", help="show time and memory on pages of growing size")
    growth.add_argument("--sizes", nargs="+", type=page_size, default=SIZES, metavar="MB")
    add_contenders(growth)
    add_timing(growth, repeat=3)
    growth.set_defaults(run=run_growth)

    crawl = commands.add_parser("crawl", help="compare a crawl with and without the plugin")
    crawl.add_argument("corpora", nargs="*", type=Path, help="pages to serve, else generated ones")
    crawl.add_argument("--pages", type=positive, default=2000, metavar="N", help="pages to crawl")
    crawl.add_argument(
        "--size", type=page_size, default=0.1, metavar="MB", help="size of generated pages"
    )
    crawl.add_argument("--type", help="serve only pages of this type, such as article")
    crawl.add_argument("--workers", nargs="+", type=int, default=[0, 2], metavar="N")
    crawl.add_argument(
        "--repeat", type=positive, default=3, metavar="R", help="crawls of each kind"
    )
    add_markdown(crawl)
    crawl.set_defaults(run=run_crawls, limit=DIFFERENT_PAGES)
    return parser


def chosen_contenders(args: argparse.Namespace) -> list[Contender]:
    """Find the contenders named on the command line."""
    return choose_contenders(methods=args.methods, peers=args.peers, options=args.options)


def opened_corpora(args: argparse.Namespace) -> list[Corpus]:
    """Open all corpora before any is measured, to learn of a bad one at once."""
    return [open_corpus(path, page_type=args.type, limit=args.limit) for path in args.corpora]


def run_accuracy(args: argparse.Namespace) -> None:
    """Judge the contenders on each corpus and show one table."""
    contenders = chosen_contenders(args)
    rows, worst = [], []
    for corpus in opened_corpora(args):
        judged = judge_corpus(
            corpus, contenders=contenders, jobs=args.jobs, force_progress=args.progress
        )
        rows += accuracy_rows(corpus.name, judged, contenders)
        if args.worst:
            table = as_text(worst_table(judged, count=args.worst))
            worst.append(f"\nworst of {contenders[0].label} on {corpus.name}:\n{table}")
    show(accuracy_table(rows), markdown=args.markdown)
    for listing in worst:
        print(listing)


def run_metadata(args: argparse.Namespace) -> None:
    """Judge what is said of each page beside its text and show one table."""
    readers = choose_readers(args.peers)
    rows, failures = [], []
    for corpus in opened_corpora(args):
        judged = judge_metadata(corpus, readers=readers, force_progress=args.progress)
        rows += metadata_rows(corpus.name, judged, readers)
        failures += judged
    show(metadata_table(rows), markdown=args.markdown)
    if args.failures:
        print(f"\n{as_text(failure_table(failures, field=args.failures))}")


def run_speed(args: argparse.Namespace) -> None:
    """Time the contenders on each corpus and show one table."""
    contenders = chosen_contenders(args)
    rows = []
    for corpus in opened_corpora(args):
        speed = measure_corpus(
            corpus,
            contenders=contenders,
            repeat=args.repeat,
            seed=args.seed,
            force_progress=args.progress,
        )
        rows += speed_rows(speed)
    show(speed_table(rows, contenders), markdown=args.markdown)


def run_whole(args: argparse.Namespace) -> None:
    """Time whole articles on each corpus and show one table."""
    rows = []
    for corpus in opened_corpora(args):
        rows += whole_rows(corpus, repeat=args.repeat, force_progress=args.progress)
    show(whole_table(rows), markdown=args.markdown)


def run_growth(args: argparse.Namespace) -> None:
    """Measure the contenders on generated pages and show one table."""
    sizes = sorted({round(size * MEGABYTE) for size in args.sizes})
    grown = [
        (
            contender,
            [
                measure_growth(contender, size=size, repeat=args.repeat, seed=args.seed)
                for size in sizes
            ],
        )
        for contender in chosen_contenders(args)
    ]
    base = sizes.index(MEGABYTE) if MEGABYTE in sizes else 0
    show(growth_table(grown, base=base), markdown=args.markdown)


def run_crawls(args: argparse.Namespace) -> None:
    """Crawl the same pages with and without the plugin, in turn, and show one table."""
    pages = [page.html for corpus in opened_corpora(args) for page in corpus.pages()]
    if not pages:
        pages = generated_pages(count=DIFFERENT_PAGES, size=round(args.size * MEGABYTE))
    crawls: dict[str, list[Crawled]] = {}
    with serving(pages) as site:
        for _ in range(args.repeat):
            for name, settings in crawl_variants(args.workers).items():
                crawled = run_crawl(site, pages=args.pages, settings=settings)
                crawls.setdefault(name, []).append(crawled)
                print(f"{name}: {crawled.pages / crawled.seconds:.0f} pages/s", file=sys.stderr)
    show(crawl_table(crawls), markdown=args.markdown)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; give the exit code."""
    try:
        args = make_parser().parse_args(argv)
        args.run(args)
    except BenchmarkError as error:
        print(f"benchmarks: {' '.join(str(error).split())}", file=sys.stderr)
        return WRONG_USAGE
    except BrokenExecutor as error:
        print(f"benchmarks: a process that ran contenders died: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
