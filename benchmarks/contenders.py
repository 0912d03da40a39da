"""Contenders: the methods of scrapy-cetr, with options, and other extractors (peers)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.errors import BenchmarkError
from benchmarks.peers import PEERS
from scrapy_cetr.extraction import METHODS, extract

Value = str | int | float | bool | tuple[str, ...] | None
Extractor = Callable[[str], str]

ALL = "all"
PROBE = "<html><body><p>A short page to see whether a contender runs at all.</p></body></html>"
NAMED_VALUES: Mapping[str, Value] = {"true": True, "false": False, "none": None}


@dataclass(frozen=True)
class Contender:
    """An extractor with its options, which can be sent to another process."""

    name: str
    options: tuple[tuple[str, Value], ...] = ()
    is_peer: bool = False

    @property
    def label(self) -> str:
        """The name and options, as they can be written on the command line."""
        options = ",".join(f"{key}={value}" for key, value in self.options)
        return f"{self.name}:{options}" if options else self.name


def choose_contenders(
    *, methods: Sequence[str], peers: Sequence[str], options: Sequence[str] = ()
) -> list[Contender]:
    """Return the named contenders, each once, after checking that they run."""
    common = parse_options(options)
    chosen = [parse_method(name, common=common) for name in expand(methods, METHODS)]
    chosen += [find_peer(name) for name in expand(peers, PEERS)]
    if not chosen:
        raise BenchmarkError(
            f"nothing to measure; methods are {listed(METHODS)}; peers are {listed(PEERS)}"
        )
    contenders = list(dict.fromkeys(chosen))
    for contender in contenders:
        check(contender)
    return contenders


def expand(names: Sequence[str], known: Mapping[str, object]) -> list[str]:
    """Replace ``all`` by all known names."""
    return [name for given in names for name in (known if given == ALL else [given])]


def listed(known: Mapping[str, object]) -> str:
    """Join the accepted names."""
    return ", ".join(known)


def parse_method(written: str, *, common: Mapping[str, Value]) -> Contender:
    """Parse a method such as ``cetr`` or ``cetr:rows=lines,lam=0.5``."""
    name, _, inline = written.partition(":")
    if name not in METHODS:
        raise BenchmarkError(f"unknown method {name!r}; accepted: {listed(METHODS)}, {ALL}")
    own = parse_options(inline.split(",") if inline else ())
    return Contender(name, tuple({**common, **own}.items()))


def find_peer(name: str) -> Contender:
    """Return the peer with a name."""
    if name not in PEERS:
        raise BenchmarkError(f"unknown peer {name!r}; accepted: {listed(PEERS)}, {ALL}")
    return Contender(name, is_peer=True)


def parse_options(written: Sequence[str]) -> dict[str, Value]:
    """Parse options.

    >>> parse_options(["rows=lines", "lam=0.5", "k=3"])
    {'rows': 'lines', 'lam': 0.5, 'k': 3}
    """
    options = {}
    for option in written:
        key, sign, value = option.partition("=")
        if not (key.isidentifier() and sign and value):
            raise BenchmarkError(f"option {option!r} is not understood; accepted: key=value")
        options[key] = parse_value(value)
    return options


def parse_value(written: str) -> Value:
    """Parse a number, true, false or none; any other value is a string."""
    if written.lower() in NAMED_VALUES:
        return NAMED_VALUES[written.lower()]
    for number in (int, float):
        try:
            return number(written)
        except ValueError:
            continue
    return written


def extractor(contender: Contender) -> Extractor:
    """Return the function from the HTML of a page to its text."""
    if contender.is_peer:
        return PEERS[contender.name]
    return partial(method_text, method=contender.name, options=dict(contender.options))


def method_text(html: str, *, method: str, options: Mapping[str, Any]) -> str:
    """Extract with a method of scrapy-cetr."""
    return extract(html, method=method, **options).text


def check(contender: Contender) -> None:
    """Run a contender on a small page, to find wrong options and missing peers early."""
    try:
        extractor(contender)(PROBE)
    except BenchmarkError:
        raise
    except Exception as error:
        # A peer may refuse such a short page; its failures on other pages are counted.
        if not contender.is_peer:
            raise BenchmarkError(f"method {contender.label!r}: {error}") from error
