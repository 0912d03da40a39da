"""The command line: ``python -m benchmarks COMMAND``; ``--help`` lists the commands."""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import benchmarks
from benchmarks.arguments import (
    WRONG_USAGE,
    OneLineParser,
    add_contenders,
    add_corpora,
    add_jobs,
    add_markdown,
    add_timing,
    existing_file,
    new_file,
    page_size,
    positive,
)
from benchmarks.commands import (
    DIFFERENT_PAGES,
    run_accuracy,
    run_batches,
    run_crawls,
    run_engines,
    run_growth,
    run_images,
    run_metadata,
    run_outputs,
    run_parts,
    run_shared_crawls,
    run_speed,
    run_stages,
    run_starts,
    run_structure,
    run_whole,
)
from benchmarks.engines import ENGINES
from benchmarks.errors import BenchmarkError
from benchmarks.metadata import FIELDS
from testkit.recorded import SITE

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[OneLineParser]

SIZES = [0.25, 1.0, 4.0, 10.0]
TRACED_PAGE = SITE / "news" / "harbour-bridge.html"


def make_parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    parser = OneLineParser(prog="benchmarks", description=benchmarks.__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    add_quality(commands)
    add_costs(commands)
    add_crawl(commands)
    add_batch(commands)
    add_engines(commands)
    add_code(commands)
    return parser


def add_quality(commands: "Commands") -> None:
    """Add the commands that compare results with gold data."""
    accuracy = commands.add_parser("accuracy", help="compare the words kept with gold texts")
    add_corpora(accuracy)
    add_contenders(accuracy)
    add_jobs(accuracy)
    accuracy.add_argument(
        "--worst", type=positive, metavar="N", help="list the worst N pages of the first contender"
    )
    accuracy.add_argument(
        "--parts",
        choices=("corpus", "default"),
        default="corpus",
        help="the parts of our texts: those of each corpus's gold texts, or the default of the"
        " plugin (default: corpus)",
    )
    accuracy.set_defaults(run=run_accuracy)

    parts = commands.add_parser(
        "parts", help="show the share of each role, and whether headlines and captions are left out"
    )
    add_corpora(parts)
    add_jobs(parts)
    add_markdown(parts)
    parts.set_defaults(run=run_parts)

    metadata = commands.add_parser(
        "metadata", help="compare title, author, date and language with gold values"
    )
    add_corpora(metadata)
    metadata.add_argument(
        "--peers", nargs="*", default=[], metavar="PEER", help="other extractors by name, or all"
    )
    add_markdown(metadata)
    metadata.add_argument(
        "--failures", choices=FIELDS, help="list the pages whose value of this field is not right"
    )
    metadata.set_defaults(run=run_metadata)

    images = commands.add_parser(
        "images", help="count main images found, and junk, among the images of articles"
    )
    add_corpora(images)
    add_markdown(images)
    images.add_argument("--failures", action="store_true", help="list the pages and images")
    images.set_defaults(run=run_images)


def add_costs(commands: "Commands") -> None:
    """Add the commands that measure the time and memory of extractions."""
    speed = commands.add_parser("speed", help="compare time and memory on the same pages")
    add_corpora(speed)
    add_contenders(speed)
    add_timing(speed, repeat=1)
    speed.set_defaults(run=run_speed)

    whole = commands.add_parser("whole", help="compare the time of a whole article with its text")
    add_corpora(whole)
    whole.add_argument("--repeat", type=positive, default=3, metavar="R", help="runs per page")
    add_markdown(whole)
    whole.set_defaults(run=run_whole)

    growth = commands.add_parser("growth", help="measure time and memory on pages of growing size")
    growth.add_argument(
        "--sizes", nargs="+", type=page_size, default=SIZES, metavar="MB", help="sizes of the pages"
    )
    add_contenders(growth)
    add_timing(growth, repeat=3)
    growth.set_defaults(run=run_growth)

    start = commands.add_parser(
        "start", help="measure the start of the plugin and its first page, next to Scrapy alone"
    )
    start.add_argument("--repeat", type=positive, default=11, metavar="R", help="starts of each")
    add_markdown(start)
    start.set_defaults(run=run_starts)


def add_crawl(commands: "Commands") -> None:
    """Add the command that crawls."""
    crawl = commands.add_parser("crawl", help="compare a crawl with and without the plugin")
    crawl.add_argument(
        "corpora", nargs="*", type=Path, help="pages to serve (default: generated pages)"
    )
    crawl.add_argument("--pages", type=positive, default=2000, metavar="N", help="pages to crawl")
    crawl.add_argument(
        "--size", type=page_size, default=0.1, metavar="MB", help="size of generated pages"
    )
    crawl.add_argument("--type", help="serve only pages of this type, such as article")
    crawl.add_argument(
        "--workers",
        nargs="+",
        type=int,
        default=[0, 2],
        metavar="N",
        help="values of CETR_WORKERS (default: 0 2)",
    )
    crawl.add_argument(
        "--repeat", type=positive, default=3, metavar="R", help="crawls of each variant"
    )
    add_markdown(crawl)
    crawl.set_defaults(run=run_crawls, limit=DIFFERENT_PAGES)


def add_batch(commands: "Commands") -> None:
    """Add the command that extracts stored pages."""
    batch = commands.add_parser(
        "batch",
        help="time scrapy cetr on stored pages",
        description="Write pages of corpora as files, and extract them with scrapy cetr, with each"
        " number of jobs, and with the command of trafilatura if it is installed.",
    )
    add_corpora(batch)
    batch.add_argument(
        "--pages", type=positive, default=5000, metavar="N", help="files to extract (default: 5000)"
    )
    batch.add_argument(
        "--jobs",
        nargs="+",
        type=positive,
        default=[1, 2],
        metavar="N",
        help="values of --jobs (default: 1 2)",
    )
    batch.add_argument(
        "--no-peer", action="store_true", help="do not run the command of trafilatura"
    )
    batch.add_argument(
        "--into",
        type=Path,
        metavar="FILE",
        help="replace the table 'batch N' in this Markdown file, where N is the number of pages",
    )
    add_markdown(batch)
    batch.set_defaults(run=run_batches)


def add_engines(commands: "Commands") -> None:
    """Add the commands about archives and engines."""
    stages = commands.add_parser(
        "stages",
        help="processor time of each stage from an archive to Parquet",
        description="Write pages of corpora as one WARC file, and measure the processor time of"
        " reading, unpacking, extraction and writing, next to trafilatura if it is installed.",
    )
    engines = commands.add_parser(
        "engines",
        help="time Spark, datatrove, Ray and the command on WARC files",
        description="Write pages of corpora as WARC files, and extract them with plain"
        " multiprocessing and with each engine, in turn. Start-up does not count.",
    )
    for parser, pages in ((stages, 500), (engines, 5000)):
        add_corpora(parser)
        add_markdown(parser)
        parser.add_argument(
            "--pages", type=positive, default=pages, metavar="N", help=f"pages (default: {pages})"
        )
    engines.add_argument(
        "--engines", nargs="+", choices=[*ENGINES], default=[*ENGINES], help="(default: all)"
    )
    engines.add_argument(
        "--archives", type=positive, default=8, metavar="N", help="WARC files (default: 8)"
    )
    shared = commands.add_parser(
        "shared",
        help="crawl with several processes of scrapy-redis on one frontier",
        description="Crawl generated pages on loopback with each number of processes, and with two,"
        " one of which is killed. Start-up does not count. Needs scrapy-redis and redis-server.",
    )
    shared.add_argument("--pages", type=positive, default=2000, help="(default: 2000)")
    shared.add_argument(
        "--processes", nargs="+", type=positive, default=[1, 2, 4], help="(default: 1 2 4)"
    )
    add_markdown(shared)
    shared.set_defaults(run=run_shared_crawls)
    stages.set_defaults(run=run_stages)
    engines.set_defaults(run=run_engines)


def add_code(commands: "Commands") -> None:
    """Add the commands that compare versions of the code."""
    outputs = commands.add_parser(
        "outputs",
        help="record hashes of everything extracted, or compare with such a record",
        description="Hash every attribute of the article of each page, for each method and each"
        " value of CETR_FAVOR. With --compare, list the fields that differ from a record; the exit"
        " code is 1 if there are any.",
    )
    add_corpora(outputs)
    action = outputs.add_mutually_exclusive_group(required=True)
    action.add_argument("--record", type=new_file, metavar="FILE", help="write the hashes to FILE")
    action.add_argument(
        "--compare", type=existing_file, metavar="FILE", help="compare with the hashes in FILE"
    )
    outputs.add_argument(
        "--every", type=positive, default=1, metavar="N", help="take every Nth page of each file"
    )
    add_jobs(outputs)
    add_markdown(outputs)
    outputs.set_defaults(run=run_outputs)

    structure = commands.add_parser(
        "structure",
        help="count the modules and branches that a page passes through, and the largest parts",
        description="Trace the extraction of the text of a page, and count the modules of the"
        " package that it passes through and the branches (if, conditional expressions, cases) in"
        " the functions that ran. Also show the largest module, the longest function and the"
        " number of modules in each package.",
    )
    structure.add_argument(
        "page",
        nargs="?",
        type=existing_file,
        default=TRACED_PAGE,
        help="an HTML file (default: a page of the example project)",
    )
    add_markdown(structure)
    structure.set_defaults(run=run_structure)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code."""
    try:
        args = make_parser().parse_args(argv)
        code: int | None = args.run(args)
        return code or 0
    except BenchmarkError as error:
        print(f"benchmarks: {' '.join(str(error).split())}", file=sys.stderr)
        return WRONG_USAGE
    except BrokenExecutor as error:
        print(f"benchmarks: a process that ran contenders died: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
