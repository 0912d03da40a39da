"""Contenders: our methods, with options, and the peers they are compared with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.errors import BenchmarkError
from benchmarks.peers import PEERS
from scrapy_cetr.extraction import METHODS, extract

Value = str | int | float | bool | None
Extractor = Callable[[str], str]

ALL = "all"
PROBE = "<html><body><p>A short page to see whether a contender runs at all.</p></body></html>"
NAMED_VALUES: Mapping[str, Value] = {"true": True, "false": False, "none": None}


@dataclass(frozen=True)
class Contender:
    """What takes part in a benchmark; it can be sent to another process."""

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
    """Find the contenders that a person named, each once, and see that they run."""
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
    """Put every known name in the place of ``all``."""
    return [name for given in names for name in (known if given == ALL else [given])]


def listed(known: Mapping[str, object]) -> str:
    """Write the names that are accepted."""
    return ", ".join(known)


def parse_method(written: str, *, common: Mapping[str, Value]) -> Contender:
    """Read a method such as ``cetr`` or ``cetr:rows=lines,lam=0.5``."""
    name, _, inline = written.partition(":")
    if name not in METHODS:
        raise BenchmarkError(f"unknown method {name!r}; accepted: {listed(METHODS)}, {ALL}")
    own = parse_options(inline.split(",") if inline else ())
    return Contender(name, tuple({**common, **own}.items()))


def find_peer(name: str) -> Contender:
    """Find a peer by its name."""
    if name not in PEERS:
        raise BenchmarkError(f"unknown peer {name!r}; accepted: {listed(PEERS)}, {ALL}")
    return Contender(name, is_peer=True)


def parse_options(written: Sequence[str]) -> dict[str, Value]:
    """Read options.

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
    """Read a number, true, false or none as such, and anything else as text."""
    if written.lower() in NAMED_VALUES:
        return NAMED_VALUES[written.lower()]
    for number in (int, float):
        try:
            return number(written)
        except ValueError:
            continue
    return written


def extractor(contender: Contender) -> Extractor:
    """Give the function that turns the HTML of a page into text."""
    if contender.is_peer:
        return PEERS[contender.name]
    return partial(method_text, method=contender.name, options=dict(contender.options))


def method_text(html: str, *, method: str, options: Mapping[str, Any]) -> str:
    """Extract with one of our methods."""
    return extract(html, method=method, **options).text


def check(contender: Contender) -> None:
    """Run a contender on a small page, to learn of wrong options and missing peers at once."""
    try:
        extractor(contender)(PROBE)
    except BenchmarkError:
        raise
    except Exception as error:
        # A peer may refuse so short a page; what it refuses later is counted as its failures.
        if not contender.is_peer:
            raise BenchmarkError(f"method {contender.label!r}: {error}") from error
