"""The options of an extraction, checked when they are set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from numbers import Integral, Real
from typing import Any, Literal, NamedTuple

METHOD_NAMES = ("learned", "cetr", "cetr-km", "cetr-tm", "coreex", "qread", "lineblock", "clg")
RowKind = Literal["blocks", "lines"]
Favor = Literal["article", "precision", "recall"]
# What a row can be in an article, and the roles that make its text by default.
ROLES = (
    *("headline", "byline", "lead", "paragraph", "heading", "list", "quote", "table", "code"),
    *("caption", "embed", "note", "comment"),
)
DEFAULT_PARTS = (
    *("lead", "paragraph", "heading", "list", "quote", "table", "code", "embed", "note"),
)
ROW_KINDS: tuple[RowKind, ...] = ("blocks", "lines")
FAVORS: tuple[Favor, ...] = ("article", "precision", "recall")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of an extraction; docs/explanation explains the defaults.

    ``method`` is the name of the method that chooses rows, ``favor`` the aim of the method
    "learned", ``threshold`` the probability from which it keeps a row. ``rows`` are block-level
    elements ("blocks") or lines of the source ("lines"). ``parts`` are the roles of the rows that
    make the text. ``model`` is the path of weights for the method "learned", empty for those that
    come with the package.

    CETR: ``sigma`` is the width of the smoothing kernel in rows, or "std" to derive it from the
    page; ``alpha`` the distance in rows for slopes; ``k`` the number of clusters; ``lam`` the
    threshold of cetr-tm in standard deviations, also that of lineblock_ttr if this is "std".
    CoreEx: ``coreex_threshold`` is the share of text outside links that a node needs, and
    ``coreex_text_weight`` the weight of the amount of text in its score. qRead:
    ``qread_empty_lines`` is the number of empty lines that divides segments. Line-Block:
    ``lineblock_ttr``, ``lineblock_attr`` and ``lineblock_tkd`` are the thresholds of its measures.
    CLG: ``clg_threshold`` is the score above which a node is a candidate, ``clg_overlap`` the
    projection overlap ratio above which two candidates are aligned, ``clg_theta1``,
    ``clg_theta2``, ``clg_theta3`` and ``clg_theta4`` are the shares of the page's area in its
    algorithm 1, and ``clg_depth`` is the depth in the tree below which a node is not divided.

    An article of fewer words than ``min_words`` is short. Only the first ``max_size`` characters
    of a page are read.

    >>> Options(rows="words")
    Traceback (most recent call last):
    ValueError: rows must be 'blocks' or 'lines', not 'words'
    """

    method: str = "learned"
    favor: Favor = "article"
    threshold: float = 0.5
    rows: RowKind = "blocks"
    parts: Sequence[str] = DEFAULT_PARTS
    model: str = ""
    sigma: float | Literal["std"] = 7.0
    alpha: int = 3
    k: int = 3
    lam: float = 0.75
    coreex_threshold: float = 0.9
    coreex_text_weight: float = 0.01
    qread_empty_lines: int = 3
    lineblock_ttr: float | Literal["std"] = 30.0
    lineblock_attr: float = 0.2
    lineblock_tkd: int = 2
    clg_threshold: float = 0.55
    clg_overlap: float = 0.7
    clg_theta1: float = 0.05
    clg_theta2: float = 0.2
    clg_theta3: float = 0.4
    clg_theta4: float = 0.9
    clg_depth: int = 3
    min_words: int = 0
    max_size: int = 50_000_000

    def __post_init__(self) -> None:
        for name, default in DEFAULTS.items():
            value = getattr(self, name)
            # Options are made for every page, and most have their default values.
            is_default = type(value) is type(default) and value == default
            if not is_default and not RULES[name].accepts(value):
                raise ValueError(f"{name} must be {RULES[name].legal}, not {value!r}")


DEFAULTS = {field.name: field.default for field in fields(Options)}


class Rule(NamedTuple):
    """The legal values of an option: a check, and a description for error messages.

    If ``is_list``, a value on the command line is separated by commas; if ``is_flag``, it is read
    as Scrapy reads booleans.
    """

    accepts: Callable[[Any], bool]
    legal: str
    is_list: bool = False
    is_flag: bool = False


def one_of(*names: str) -> Rule:
    """Accept one of some names."""
    legal = " or ".join((", ".join(map(repr, names[:-1])), repr(names[-1])))
    return Rule(lambda value: isinstance(value, str) and value in names, legal)


def some_of(*names: str) -> Rule:
    """Accept a list of some of these names, at least one."""

    def accepts(value: Any) -> bool:
        is_list = isinstance(value, list | tuple) and len(value) > 0
        return is_list and all(isinstance(name, str) and name in names for name in value)

    return Rule(accepts, f"a list of some of {', '.join(map(repr, names))}", is_list=True)


def flag() -> Rule:
    """Accept True and False, also as 1 and 0."""

    def accepts(value: Any) -> bool:
        return isinstance(value, bool) or (isinstance(value, int) and value in (0, 1))

    return Rule(accepts, "True or False", is_flag=True)


def number(kind: Any, low: float, high: float, *, words: str) -> Rule:
    """Accept a number of a kind between two others."""

    def accepts(value: Any) -> bool:
        if isinstance(value, bool) or not isinstance(value, kind):
            return False
        return bool(low <= value <= high)

    return Rule(accepts, f"{words} from {low} to {high}")


def deviation_or(rule: Rule) -> Rule:
    """Accept "std" too, for a value derived from a standard deviation of the page."""

    def accepts(value: Any) -> bool:
        return value == "std" if isinstance(value, str) else rule.accepts(value)

    return Rule(accepts, f"'std' or {rule.legal}")


RULES: dict[str, Rule] = {
    "method": one_of(*METHOD_NAMES),
    "favor": one_of(*FAVORS),
    "threshold": number(Real, 0.01, 0.99, words="a number"),
    "rows": one_of(*ROW_KINDS),
    "parts": some_of(*ROLES),
    "model": Rule(lambda value: isinstance(value, str), "the path of an .npz file of weights"),
    "sigma": deviation_or(number(Real, 0, 1000, words="a number")),
    "alpha": number(Integral, 1, 1000, words="a whole number"),
    "k": number(Integral, 2, 100, words="a whole number"),
    "lam": number(Real, 0, 100, words="a number"),
    "coreex_threshold": number(Real, 0, 1, words="a number"),
    "coreex_text_weight": number(Real, 0, 1, words="a number"),
    "qread_empty_lines": number(Integral, 1, 100, words="a whole number"),
    "lineblock_ttr": deviation_or(number(Real, 0, 10_000, words="a number")),
    "lineblock_attr": number(Real, 0, 1, words="a number"),
    "lineblock_tkd": number(Integral, 0, 1000, words="a whole number"),
    **{
        f"clg_{name}": number(Real, 0, 1, words="a number")
        for name in ("threshold", "overlap", "theta1", "theta2", "theta3", "theta4")
    },
    "clg_depth": number(Integral, 0, 512, words="a whole number"),
    "min_words": number(Integral, 0, 1_000_000, words="a whole number"),
    "max_size": number(Integral, 1, 1_000_000_000, words="a whole number"),
}


_CETR_METHODS = ("cetr", "cetr-km", "cetr-tm")
# The methods that read an option; options that are not here are for all methods.
METHOD_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "favor": ("learned", "clg"),
    "threshold": ("learned", "clg"),
    "model": ("learned", "clg"),
    "sigma": _CETR_METHODS,
    "alpha": ("cetr",),
    "k": ("cetr", "cetr-km"),
    "lam": ("cetr-tm", "lineblock"),
    "coreex_threshold": ("coreex",),
    "coreex_text_weight": ("coreex",),
    "qread_empty_lines": ("qread",),
    "lineblock_ttr": ("lineblock",),
    "lineblock_attr": ("lineblock",),
    "lineblock_tkd": ("lineblock",),
    **dict.fromkeys(
        (
            *("clg_threshold", "clg_overlap", "clg_theta1", "clg_theta2", "clg_theta3"),
            *("clg_theta4", "clg_depth"),
        ),
        ("clg",),
    ),
}


def make_options(options: Mapping[str, Any]) -> Options:
    """Make Options of a mapping; raise TypeError for an unknown name."""
    check_names(options)
    return Options(**options)


def check_names(names: Iterable[str]) -> None:
    """Raise TypeError for the first name that is not an option, and list the options."""
    for name in names:
        if name not in DEFAULTS:
            raise TypeError(f"unknown option {name!r}; the options are {', '.join(DEFAULTS)}")
