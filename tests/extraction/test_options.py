"""The legal values of options, and the errors for others."""

import inspect
from dataclasses import FrozenInstanceError, fields, replace
from math import inf, nan
from typing import Any, get_type_hints

import pytest

from scrapy_cetr.extraction import METHODS, Options, extract
from scrapy_cetr.extraction.options import METHOD_NAMES, ROLES, ROW_KINDS, RULES, make_options

CLG_SHARES = ("threshold", "overlap", "theta1", "theta2", "theta3", "theta4")
METHODS_IN_WORDS = (
    "'learned', 'cetr', 'cetr-km', 'cetr-tm', 'coreex', 'qread', 'lineblock' or 'clg'"
)
LEGAL: dict[str, list[Any]] = {
    "method": ["learned", "cetr", "cetr-km", "cetr-tm", "coreex", "qread", "lineblock", "clg"],
    "favor": ["article", "precision", "recall"],
    "threshold": [0.01, 0.5, 0.99],
    "rows": ["blocks", "lines"],
    "model": [""],
    "parts": [("paragraph",), ["headline", "caption"], ROLES],
    "sigma": ["std", 0, 0.0, 0.5, 1, 7.0, 1000],
    "alpha": [1, 3, 1000],
    "k": [2, 3, 100],
    "lam": [0, 0.25, 1, 1.0, 100],
    "coreex_threshold": [0, 0.9, 1],
    "coreex_text_weight": [0, 0.01, 0.1, 1],
    "qread_empty_lines": [1, 3, 100],
    "lineblock_ttr": ["std", 0, 30, 30.5, 10_000],
    "lineblock_attr": [0, 0.2, 1],
    "lineblock_tkd": [0, 2, 1000],
    **{f"clg_{name}": [0, 0.5, 1] for name in CLG_SHARES},
    "clg_depth": [0, 3, 512],
    "min_words": [0, 50, 1_000_000],
    "max_size": [1, 1000, 1_000_000_000],
}
ILLEGAL: dict[str, list[Any]] = {
    "method": ["CETR", "", "cetr ", None, 1, b"cetr", ["cetr"]],
    "favor": ["Article", "", "f1", None, 0, 0.5, True, ["recall"]],
    "threshold": [0, 1, 0.005, 50, nan, "0.5", None, True],
    "rows": ["line", "Blocks", "", None, 0],
    "model": [None, 1, b"a.npz", ["a.npz"]],
    "parts": [(), [], "paragraph", ["title"], [None], None, {"paragraph"}, 1],
    "sigma": ["Std", "7", "", -1, -0.1, 1000.5, inf, -inf, nan, None, True, [1.0], 1j],
    "alpha": [0, -1, 1001, 3.0, "3", None, True, False, nan, inf],
    "k": [0, 1, 101, -3, 3.0, "3", None, True, inf],
    "lam": [-1, -0.01, 100.5, inf, nan, "1", None, True, []],
    "coreex_threshold": [-0.1, 1.1, 90, nan, "0.9", None, True],
    "coreex_text_weight": [-0.1, 1.1, inf, "0.01", None, False],
    "qread_empty_lines": [0, -1, 101, 3.0, "3", None, True],
    "lineblock_ttr": ["Std", "30", "", -1, 10_001, inf, nan, None, True],
    "lineblock_attr": [-0.1, 1.1, 20, nan, "0.2", None, True],
    "lineblock_tkd": [-1, 1001, 2.0, "2", None, True],
    **{f"clg_{name}": [-0.1, 1.1, nan, "0.5", None, True] for name in CLG_SHARES},
    "clg_depth": [-1, 513, 3.0, "3", None, True],
    "min_words": [-1, 1_000_001, 2.0, "5", None, True],
    "max_size": [0, -1, 1_000_000_001, 1e6, "5", None, True],
}


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, vs in LEGAL.items() for v in vs])
def test_options_accept_legal_values(name: str, value: Any) -> None:
    assert getattr(Options(**{name: value}), name) == value
    html = "<ul><li>one<li>two</ul><p>" + "It rained all day, and the river rose. " * 9
    # An option of some methods is named after them.
    methods = [method for method in METHODS if name.startswith(f"{method}_")]
    methods = methods or ["learned" if name in ("favor", "threshold") else "cetr"]
    assert isinstance(extract(html, **{"method": methods[0], name: value}).text, str)


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, vs in ILLEGAL.items() for v in vs])
def test_options_refuse_illegal_values_and_name_the_option(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=rf"^{name} must be .*, not ") as error:
        Options(**{name: value})
    assert str(error.value).endswith(f", not {value!r}")
    with pytest.raises(ValueError, match=f"^{name} must be "):
        extract("", **{name: value})


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("method", "x", f"method must be {METHODS_IN_WORDS}, not 'x'"),
        ("favor", "x", "favor must be 'article', 'precision' or 'recall', not 'x'"),
        ("rows", "x", "rows must be 'blocks' or 'lines', not 'x'"),
        ("sigma", "x", "sigma must be 'std' or a number from 0 to 1000, not 'x'"),
        ("alpha", 0, "alpha must be a whole number from 1 to 1000, not 0"),
        ("k", 1, "k must be a whole number from 2 to 100, not 1"),
        ("lam", -1, "lam must be a number from 0 to 100, not -1"),
        ("coreex_threshold", 2, "coreex_threshold must be a number from 0 to 1, not 2"),
        ("qread_empty_lines", 0, "qread_empty_lines must be a whole number from 1 to 100, not 0"),
        ("lineblock_ttr", -1, "lineblock_ttr must be 'std' or a number from 0 to 10000, not -1"),
    ],
)
def test_error_for_an_illegal_value_names_legal_ones(
    name: str, value: object, message: str
) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011
        make_options({name: value})
    assert str(error.value) == message


def test_error_for_an_unknown_option_lists_all_options() -> None:
    with pytest.raises(TypeError) as error:
        extract("", lambda_=1)  # type: ignore[arg-type]
    names = ", ".join(field.name for field in fields(Options))
    assert str(error.value) == f"unknown option 'lambda_'; the options are {names}"
    assert names.startswith("method, favor, threshold, rows, parts, model, sigma, alpha, k, lam")


def test_parameters_of_extract_are_the_fields_of_options() -> None:
    parameters = dict(inspect.signature(extract).parameters)
    assert [parameters.pop(name).kind.name for name in ("html", "unknown")] == [
        "POSITIONAL_OR_KEYWORD",
        "VAR_KEYWORD",
    ]
    for name in ("url", "sites"):
        parameter = parameters.pop(name)
        assert (parameter.kind.name, parameter.default) == ("KEYWORD_ONLY", None)
    assert all(parameter.kind.name == "KEYWORD_ONLY" for parameter in parameters.values())
    defaults = {name: parameter.default for name, parameter in parameters.items()}
    assert [*defaults.items()] == [(field.name, field.default) for field in fields(Options)]
    hints, expected = get_type_hints(extract), get_type_hints(Options)
    assert {name: hints[name] for name in parameters} == expected


def test_every_option_is_documented() -> None:
    assert all(f"``{name}``" in (Options.__doc__ or "") for name in RULES)


def test_replace_refuses_illegal_values() -> None:
    assert replace(Options(), k=4).k == 4
    with pytest.raises(ValueError, match=r"^k must be"):
        replace(Options(), k=1)


def test_every_option_has_a_rule() -> None:
    assert set(RULES) == {field.name for field in fields(Options)}
    assert set(LEGAL) == set(ILLEGAL) == set(RULES)


def test_every_method_name_has_a_method() -> None:
    assert tuple(METHODS) == METHOD_NAMES
    assert ROW_KINDS == ("blocks", "lines")


def test_make_options_without_options_has_the_defaults() -> None:
    assert make_options({}) == Options()


def test_options_are_frozen() -> None:
    options = Options()
    with pytest.raises(FrozenInstanceError):
        options.k = 4  # type: ignore[misc]


def test_options_are_hashable_and_equal_by_value() -> None:
    assert {Options(), Options(k=3), Options(k=4)} == {Options(), Options(k=4)}


def test_options_are_keyword_only() -> None:
    with pytest.raises(TypeError):
        Options("cetr")  # type: ignore[call-arg]


@pytest.mark.parametrize("name", ["k", "alpha", "sigma", "lam"])
def test_options_refuse_huge_numbers(name: str) -> None:
    with pytest.raises(ValueError, match=rf"^{name} must be"):
        make_options({name: 10**400})
