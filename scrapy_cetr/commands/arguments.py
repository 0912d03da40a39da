"""Checks the arguments of ``scrapy cetr``, and makes a plan of them."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from scrapy.settings import Settings

from scrapy_cetr.commands.batch_run import TEXT_FIELD, Duplicates
from scrapy_cetr.commands.files import STANDARD_INPUT, is_gold
from scrapy_cetr.commands.inputs import Columns
from scrapy_cetr.commands.options import FORMATS
from scrapy_cetr.commands.outputs import SUFFIXES
from scrapy_cetr.commands.plan import Plan
from scrapy_cetr.extraction.attributes import ATTRIBUTES
from scrapy_cetr.extraction.batch.messages import Job
from scrapy_cetr.extraction.batch.schema import FIELDS, RESERVED, make_fields
from scrapy_cetr.extraction.options import RULES, Options, make_options
from scrapy_cetr.extraction.sites.rules import SiteRules, load_sites
from scrapy_cetr.settings import (
    REDIS,
    CrawlSettings,
    check_models,
    from_command_line,
    read_settings,
)


def make_plan(args: Sequence[str], opts: Namespace, settings: Settings) -> Plan:
    """Check the arguments; a ValueError says what is wrong."""
    crawl = read_settings(settings)
    checks = [Path(name) for name in opts.check or ()]
    args = [*args, *(str(path) for path in checks if is_gold(path.name) and not args)]
    _check_inputs(args, opts)
    _check_outputs(args, opts)
    urls = [word for word in args if _is_url(word)]
    words = [word for word in args if not _is_url(word)]
    output = Path(opts.output) if opts.output is not None else None
    folder = Path(opts.output_dir) if opts.output_dir is not None else None
    quiet = opts.report is not None and opts.format is None and not opts.compare
    return Plan(
        words=words,
        url_words=urls,
        url_file=_url_file(opts.urls),
        job=_job(opts, crawl),
        format=opts.format or ("json" if output is not None else "text"),
        output=output,
        folder=folder,
        report=Path(opts.report) if opts.report is not None else None,
        compares=opts.compare,
        resumes=opts.resume,
        duplicates=Duplicates(crawl.duplicates_threshold, crawl.duplicates_memory)
        if opts.deduplicate
        else None,
        jobs=_jobs(opts.jobs),
        timeout=_positive("--timeout", opts.timeout, crawl.timeout),
        input_columns=Columns(html=opts.html_column, url=opts.url_column),
        includes_error_pages=opts.error_pages,
        renders=opts.render,
        is_offline=opts.offline,
        prints=not quiet,
        memory=_site_memory(crawl.memory),
        checks=checks,
    )


def _site_memory(setting: bool | str) -> bool | str:
    """Return whether sites are remembered, or the path of the file that has the memory."""
    if isinstance(setting, str) and setting.startswith(REDIS):
        raise ValueError(
            f"CETR_MEMORY must be True or the path of a file for scrapy cetr, not {setting!r}"
        )
    return setting


def _check_inputs(args: Sequence[str], opts: Namespace) -> None:
    unknown = [word for word in args if word.startswith("-") and word != STANDARD_INPUT]
    if unknown:
        raise ValueError(f"unknown option {unknown[0]}; scrapy cetr -h lists all options")
    if not args and opts.urls is None:
        raise ValueError("give at least one URL, file or folder; scrapy cetr -h shows the usage")
    if args.count(STANDARD_INPUT) > 1:
        raise ValueError("standard input (-) can be given only once")
    if opts.offline and not opts.render:
        raise ValueError("--offline needs --render")
    if opts.precision and opts.recall:
        raise ValueError("use either --precision or --recall, not both")


def _check_outputs(args: Sequence[str], opts: Namespace) -> None:
    if opts.format is not None and opts.format not in FORMATS:
        raise ValueError(f"--format must be one of {', '.join(FORMATS)}, not {opts.format!r}")
    if opts.compare and opts.format in ("markdown", "html"):
        raise ValueError(
            f"--compare can only be used with --format text or json, not {opts.format}"
        )
    targets = [opts.output, opts.output_dir]
    others = (*targets, opts.report, opts.compare or None)
    if opts.check and others != (None,) * len(others):
        raise ValueError(
            "--check cannot be used with --output, --output-dir, --report or --compare"
        )
    for name in opts.check or ():
        if not Path(name).is_file():
            raise ValueError(f"--check {name}: there is no such file")
    if None not in targets:
        raise ValueError("use either --output or --output-dir, not both")
    if targets != [None, None] and (opts.compare or opts.report is not None):
        raise ValueError("--compare and --report cannot be used with --output or --output-dir")
    if opts.output is not None and not opts.output.lower().endswith(SUFFIXES):
        raise ValueError(f"--output must end in one of {', '.join(SUFFIXES)}, not {opts.output!r}")
    if opts.output is not None and opts.format not in (None, "json"):
        raise ValueError("--format cannot be used with --output; --fields chooses its columns")
    if opts.resume and targets == [None, None]:
        raise ValueError("--resume needs --output or --output-dir")
    if opts.fields is not None and opts.output is None and opts.format != "json":
        raise ValueError("--fields needs --output or --format json")
    if opts.page_html is not None and opts.output is None:
        raise ValueError("--page-html needs --output")
    for name, target in (("--output", opts.output), ("--output-dir", opts.output_dir)):
        for word in args if target is not None else ():
            if Path(word).resolve() == Path(target).resolve():
                raise ValueError(f"{word} cannot be both an input and the {name}")


def _is_url(word: str) -> bool:
    return "://" in word or word.startswith("data:")


def _url_file(name: str | None) -> Path | None:
    if name is None:
        return None
    path = Path(name)
    try:
        path.open("rb").close()
    except OSError as error:
        raise ValueError(f"--urls {name}: cannot be read: {error.strerror or error}") from error
    return path


def _jobs(text: str | None) -> int:
    if text is None:
        return available_cores()
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 1000:
        raise ValueError(f"--jobs must be a whole number from 1 to 1000, not {text!r}")
    return int(text)


def _memory(text: str | None) -> int | None:
    """Return the memory limit in bytes."""
    if text is None:
        return None
    if sys.platform == "win32":
        raise ValueError("--memory cannot be used on Windows")
    if not text.isascii() or not text.isdigit() or not 500 <= int(text) <= 10_000_000:
        raise ValueError(
            f"--memory must be a whole number of megabytes from 500 to 10000000, not {text!r}"
        )
    return int(text) * 1_000_000


def _positive(name: str, text: str | None, default: float) -> float:
    if text is None:
        return default
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.1 <= value <= 86_400:
        raise ValueError(f"{name} must be a number of seconds from 0.1 to 86400, not {text!r}")
    return value


def _job(opts: Namespace, crawl: CrawlSettings) -> Job:
    fields = _fields(opts)
    if opts.deduplicate and "text" not in fields.values():
        fields[TEXT_FIELD] = "text"
    if opts.page_html is not None and opts.page_html in (*fields, *RESERVED, "url", ""):
        raise ValueError(f"--page-html must be the name of a new column, not {opts.page_html!r}")
    return Job(
        fields=fields,
        page_html=opts.page_html,
        options=_options(opts, crawl.options),
        languages=_languages(opts.languages, crawl.languages),
        only_articles=opts.only_articles or crawl.not_article == "drop",
        min_probability=crawl.min_probability,
        memory=_memory(opts.memory),
        sites=_sites(opts, crawl.sites),
    )


def _sites(opts: Namespace, default: SiteRules) -> str:
    """Return the rules for single sites as JSON; empty for none.

    Rules to check override the others.
    """
    given = [("--sites", opts.sites)] if opts.sites is not None else []
    given += [("--check", name) for name in opts.check or () if not is_gold(name)]
    rules = default
    if given:
        name, path = given[-1]
        rules = load_sites(path, name=name)
        check_models(rules, name=f"{name} {path}")
    return json.dumps(rules.as_mapping) if len(rules) else ""


def _fields(opts: Namespace) -> dict[str, str]:
    """Return the fields of the rows and the attributes that they hold."""
    if opts.fields is not None:
        return _parse_fields(opts.fields)
    if opts.output is not None:
        return dict(FIELDS)
    if opts.format == "json":
        return {name: name for name in ATTRIBUTES}
    return {opts.format or "text": opts.format or "text"}


def _parse_fields(text: str) -> dict[str, str]:
    fields: Any = None
    if text.lstrip().startswith("{"):
        try:
            fields = json.loads(text)
        except ValueError:
            fields = None
    else:
        fields = {name.strip(): name.strip() for name in text.split(",")}
    if not isinstance(fields, dict) or TEXT_FIELD in fields:
        fields = {}
    try:
        return dict(make_fields(fields))
    except (ValueError, TypeError) as error:
        raise ValueError(
            f"--fields must be names such as title,text, or a JSON object of columns to names,"
            f" not {text!r}: {error}"
        ) from error


def _options(opts: Namespace, options: Options) -> Options:
    """Return the options of the settings, overridden by those of the command line."""
    given = {name: getattr(opts, f"cetr_{name}") for name in RULES}
    if opts.precision or opts.recall:
        given["favor"] = "precision" if opts.precision else "recall"
    chosen = {
        name: from_command_line(value, RULES[name])
        for name, value in given.items()
        if value is not None
    }
    return make_options({**asdict(options), **chosen})


def _languages(text: str | None, default: Sequence[str]) -> tuple[str, ...]:
    if text is None:
        return tuple(default)
    codes = tuple(code.strip().lower() for code in text.split(","))
    if not all(code.isascii() and code.isalpha() and len(code) in (2, 3) for code in codes):
        raise ValueError(f"--languages must be codes such as en,de, not {text!r}")
    return codes


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
