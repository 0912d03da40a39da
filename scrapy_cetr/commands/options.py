"""The options of ``scrapy cetr`` and their help texts."""

from __future__ import annotations

from argparse import ArgumentParser

# Help texts have no colons: Scrapy prints a line that ends with one as a heading.

FORMATS = ("text", "markdown", "html", "json")


def add_options(parser: ArgumentParser) -> None:
    """Add all options of the command to a parser."""
    _add_inputs(parser)
    _add_outputs(parser)
    _add_run(parser)
    _add_extraction(parser)


def _add_inputs(parser: ArgumentParser) -> None:
    group = parser.add_argument_group(title="Inputs")
    group.add_argument(
        "--urls", metavar="FILE", help="download the URLs in FILE, one per line (default none)"
    )
    group.add_argument(
        "--html-column",
        metavar="NAME",
        default="html",
        help="the column of Parquet files with the HTML (default html)",
    )
    group.add_argument(
        "--url-column",
        metavar="NAME",
        default="url",
        help="the column of Parquet files with the URL (default url)",
    )
    group.add_argument(
        "--error-pages",
        action="store_true",
        help="include WARC responses with a status of 400 or more (default ignore them)",
    )

    group.add_argument(
        "--render",
        action="store_true",
        help="render each page in Chromium, which writes what it shows into the HTML"
        " (default read the HTML as it is)",
    )
    group.add_argument(
        "--offline",
        action="store_true",
        help="with --render, download nothing and run no scripts of pages (default no)",
    )


def _add_outputs(parser: ArgumentParser) -> None:
    group = parser.add_argument_group(title="Outputs")
    group.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write one row per page to FILE, as .jsonl, .jsonl.gz, .csv or .parquet"
        " (default print the articles)",
    )
    group.add_argument(
        "--output-dir",
        metavar="DIR",
        help="write one file per page to the folder DIR (default print the articles)",
    )
    group.add_argument(
        "--format",
        metavar="FORMAT",
        help=f"one of {', '.join(FORMATS)}; for the terminal and --output-dir (default text)",
    )
    group.add_argument(
        "--fields",
        metavar="NAMES",
        help="the columns, as title,text or as a JSON object of columns to attributes of the"
        " article (default the text and the metadata)",
    )
    group.add_argument(
        "--page-html",
        metavar="NAME",
        help="add a column NAME with the HTML that the article was extracted from, with --render"
        " the rendered one (default none)",
    )
    group.add_argument(
        "--compare",
        action="store_true",
        help="print which rows each method keeps (default print articles)",
    )
    group.add_argument(
        "--check",
        metavar="FILE",
        action="append",
        help="print what the rules in FILE change, or, if FILE is .jsonl with url, html and text,"
        " whether pages get better or worse; can be given twice (default print articles)",
    )
    group.add_argument(
        "--report", metavar="FILE", help="write an HTML report to FILE (default none)"
    )
    group.add_argument(
        "--merge-reports",
        action="store_true",
        help="write the --report of crawls whose CETR_REPORT is one of the given .json.gz files"
        " (default report on pages)",
    )


def _add_run(parser: ArgumentParser) -> None:
    group = parser.add_argument_group(title="Run")
    group.add_argument("--jobs", metavar="N", help="the number of processes (default all cores)")
    group.add_argument(
        "--resume",
        action="store_true",
        help="continue a stopped run with the same arguments (default start a new run)",
    )
    group.add_argument(
        "--timeout",
        metavar="SECONDS",
        help="give up on a page after this time (default CETR_TIMEOUT, 30)",
    )
    group.add_argument(
        "--memory",
        metavar="MEGABYTES",
        help="limit the memory of each process; a page that needs more fails (default no limit)",
    )
    group.add_argument(
        "--only-articles",
        action="store_true",
        help="skip pages of another kind than article (default keep them)",
    )
    group.add_argument(
        "--languages",
        metavar="CODES",
        help="skip pages in other languages than, for example, en,de"
        " (default CETR_LANGUAGES, all languages)",
    )
    group.add_argument(
        "--deduplicate",
        action="store_true",
        help="skip near-duplicates of earlier pages (default keep them)",
    )


def _add_extraction(parser: ArgumentParser) -> None:
    from scrapy_cetr.extraction.options import DEFAULTS, RULES

    group = parser.add_argument_group(title="Extraction (defaults are those of CETR_ settings)")
    group.add_argument(
        "--precision", action="store_true", help="the same as --favor precision (default no)"
    )
    group.add_argument(
        "--recall", action="store_true", help="the same as --favor recall (default no)"
    )
    group.add_argument(
        "--sites",
        metavar="FILE",
        help="rules for single sites, a TOML or JSON file (default CETR_SITES, none)",
    )
    for name, rule in RULES.items():
        flag, legal = f"--{name.replace('_', '-')}", rule.legal.replace("%", "%%")
        default = "none" if DEFAULTS[name] == "" else DEFAULTS[name]
        text = f"{legal} (default {default})"
        group.add_argument(flag, dest=f"cetr_{name}", metavar="VALUE", help=text)
