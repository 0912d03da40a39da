"""The benchmark commands: each takes the parsed arguments and prints one table."""

import argparse
import sys
from dataclasses import replace

from benchmarks.accuracy import accuracy_rows, accuracy_table, judge_corpus, worst_table
from benchmarks.batch import batch_table, measure_batches
from benchmarks.contenders import Contender, choose_contenders
from benchmarks.conventions import with_parts
from benchmarks.corpus import Corpus, open_corpus
from benchmarks.crawl import crawl_table, crawl_variants, run_crawl
from benchmarks.crawl_process import Crawled
from benchmarks.crawl_server import generated_pages, serving
from benchmarks.document import write_table
from benchmarks.engines import engines_table, measure_engines
from benchmarks.growth import growth_table, measure_growth
from benchmarks.images import images_failure_table, images_row, images_table, judge_images
from benchmarks.metadata import (
    choose_readers,
    failure_table,
    judge_metadata,
    metadata_rows,
    metadata_table,
)
from benchmarks.outputs import (
    Record,
    compare_table,
    differences,
    hash_corpus,
    load_record,
    not_compared,
    record_table,
    save_record,
)
from benchmarks.parts import (
    measure_parts,
    placement_rows,
    placement_table,
    role_row,
    role_table,
)
from benchmarks.shared_crawl import measure_shared_crawls, shared_crawl_table
from benchmarks.speed import MEGABYTE, measure_corpus, speed_rows, speed_table
from benchmarks.start import measure_starts, start_table
from benchmarks.structure import structure_table
from benchmarks.table import as_text, show
from benchmarks.whole import whole_rows, whole_table

DIFFERENT_PAGES = 200


def chosen_contenders(args: argparse.Namespace) -> list[Contender]:
    """Return the contenders named on the command line."""
    return choose_contenders(methods=args.methods, peers=args.peers, options=args.options)


def opened_corpora(args: argparse.Namespace) -> list[Corpus]:
    """Check all corpora before the first is measured."""
    return [open_corpus(path, page_type=args.type, limit=args.limit) for path in args.corpora]


def run_accuracy(args: argparse.Namespace) -> None:
    """Score the contenders on each corpus and print a table."""
    contenders = chosen_contenders(args)
    rows, worst = [], []
    for corpus in opened_corpora(args):
        given = with_parts(contenders, corpus.name) if args.parts == "corpus" else contenders
        judged = judge_corpus(
            corpus, contenders=given, jobs=args.jobs, force_progress=args.progress
        )
        rows += accuracy_rows(corpus.name, judged, contenders)
        if args.worst:
            table = as_text(worst_table(judged, count=args.worst))
            worst.append(f"\nworst of {contenders[0].label} on {corpus.name}:\n{table}")
    show(accuracy_table(rows), markdown=args.markdown)
    for listing in worst:
        print(listing)


def run_parts(args: argparse.Namespace) -> None:
    """Show what the articles of each corpus consist of."""
    shares, placements = [], []
    for corpus in opened_corpora(args):
        composed = measure_parts(corpus, jobs=args.jobs, force_progress=args.progress)
        shares.append(role_row(corpus.name, composed))
        placements += placement_rows(corpus.name, composed)
    show(role_table(shares), markdown=args.markdown)
    print(f"\n{as_text(placement_table(placements))}")


def run_metadata(args: argparse.Namespace) -> None:
    """Score the metadata of each corpus and print a table."""
    readers = choose_readers(args.peers)
    rows, failures = [], []
    for corpus in opened_corpora(args):
        judged = judge_metadata(corpus, readers=readers, force_progress=args.progress)
        rows += metadata_rows(corpus.name, judged, readers)
        failures += judged
    show(metadata_table(rows), markdown=args.markdown)
    if args.failures:
        print(f"\n{as_text(failure_table(failures, field=args.failures))}")


def run_images(args: argparse.Namespace) -> None:
    """Count main images and junk of each corpus, and of all, and print a table."""
    rows, everything = [], []
    for corpus in opened_corpora(args):
        judged = judge_images(corpus, force_progress=args.progress)
        rows.append(images_row(corpus.name, judged))
        everything += judged
    if len(rows) > 1:
        rows.append(images_row("all", everything))
    show(images_table(rows), markdown=args.markdown)
    if args.failures:
        print(f"\n{as_text(images_failure_table(everything))}")


def run_speed(args: argparse.Namespace) -> None:
    """Measure the contenders on each corpus and print a table."""
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
    """Measure whole articles on each corpus and print a table."""
    rows = []
    for corpus in opened_corpora(args):
        rows += whole_rows(corpus, repeat=args.repeat, force_progress=args.progress)
    show(whole_table(rows), markdown=args.markdown)


def run_growth(args: argparse.Namespace) -> None:
    """Measure the contenders on generated pages and print a table."""
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


def run_starts(args: argparse.Namespace) -> None:
    """Start Scrapy with and without the plugin, and print a table."""
    show(start_table(measure_starts(repeat=args.repeat)), markdown=args.markdown)


def run_crawls(args: argparse.Namespace) -> None:
    """Crawl the same pages with and without the plugin, in turn, and print a table."""
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


def run_batches(args: argparse.Namespace) -> None:
    """Extract a folder of stored pages with each command, and print a table."""
    pages = [page.html for corpus in opened_corpora(args) for page in corpus.pages()]
    runs = []
    for run in measure_batches(pages, count=args.pages, jobs=args.jobs, peer=not args.no_peer):
        print(f"{run.name}: {run.rate:.0f} pages/s", file=sys.stderr)
        runs.append(run)
    table = batch_table(runs)
    show(table, markdown=args.markdown)
    if args.into:
        write_table(args.into, f"batch {args.pages}", table)


def run_stages(args: argparse.Namespace) -> None:
    """Measure the stages of the way from an archive to Parquet, and print a table."""
    # Not above: the other measurements do not need pyarrow.
    from benchmarks.stages import measure_stages

    pages = (page for corpus in opened_corpora(args) for page in corpus.pages())
    show(measure_stages(pages, count=args.pages), markdown=args.markdown)


def run_engines(args: argparse.Namespace) -> None:
    """Extract archives with each engine, and print a table."""
    pages = (page for corpus in opened_corpora(args) for page in corpus.pages())
    runs = []
    found = measure_engines(pages, count=args.pages, archives=args.archives, engines=args.engines)
    for run in found:
        used = f"{1000 * run.cpu / run.pages:.1f} CPU ms/page"
        print(f"{run.name}: {run.rate:.1f} pages/s, {used}", file=sys.stderr)
        runs.append(run)
    show(engines_table(runs), markdown=args.markdown)


def run_shared_crawls(args: argparse.Namespace) -> None:
    """Crawl with several numbers of processes on one frontier, and print a table."""
    crawls = []
    for crawl in measure_shared_crawls(count=args.pages, processes=args.processes):
        print(f"{crawl.name}: {crawl.rate:.1f} pages/s", file=sys.stderr)
        crawls.append(crawl)
    show(shared_crawl_table(crawls), markdown=args.markdown)


def run_outputs(args: argparse.Namespace) -> int:
    """Record the hashes of all outputs, or compare them with a record; return 1 if any differ."""
    known = load_record(args.compare) if args.compare else None
    corpora = [
        replace(corpus, chosen=corpus.chosen[:: args.every]) for corpus in opened_corpora(args)
    ]
    hashed = (
        page
        for corpus in corpora
        for page in hash_corpus(corpus, jobs=args.jobs, force_progress=args.progress)
    )
    if known is None:
        record = Record(pages=dict(hashed))
        save_record(args.record, record)
        show(record_table(record), markdown=args.markdown)
        return 0
    found = differences(known, hashed)
    show(compare_table(found), markdown=args.markdown)
    if names := not_compared(known):
        print(f"not compared, as only one version has them: {', '.join(names)}")
    print(f"{found.pages} pages, {found.counts.total()} differences")
    return 1 if found.counts else 0


def run_structure(args: argparse.Namespace) -> None:
    """Print the size and shape of the package that is imported."""
    show(structure_table(args.page), markdown=args.markdown)
