"""The benchmark command "structure": what a page passes through, and sizes of the code."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks.__main__ import main
from benchmarks.structure import (
    Passed,
    cython_functions,
    measure_call,
    python_functions,
    size_rows,
)

MODULE = """\
import functools

if functools:
    pass


@functools.lru_cache
@functools.wraps(print)
def called(number):
    if number > 1:
        return 1
    elif number:
        names = [name if name else "x" for name in "ab"]
    while number < 0:
        number += 1

    def nested():
        return 1 if number else 2

    match number:
        case 1:
            return nested()
        case _:
            return 2


def not_called(number):
    return 1 if number else 2


class Body:
    short = (lambda: 1 if functools else 2)()
"""
CYTHON = """\
cdef int variable = len(
    "x")

cdef inline list cut(
    int number,
) noexcept:
    cdef int size = abs(number)

    return [size]

def short(): return 1

cdef class Holder:
    cpdef int method(self):
        return 1
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    (folder / "inner").mkdir(parents=True)
    (folder / "module.py").write_text(MODULE)
    (folder / "inner" / "loops.pyx").write_text(CYTHON)
    return folder


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("tiny_module", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_branches_are_counted_in_executed_functions_only(package: Path) -> None:
    module = load(package / "module.py")
    # called: if, elif, a conditional expression, two cases; nested: a conditional expression.
    expected = Passed(modules=1, functions=2, branches=6)
    assert measure_call(lambda: module.called(1), package) == expected
    # Called again, the result is cached.
    assert measure_call(lambda: module.called(1), package).modules == 0


def test_code_outside_of_functions_and_of_the_package_is_not_counted(package: Path) -> None:
    path = package / "module.py"
    # The lambda is a function, which the body of the class calls.
    assert measure_call(lambda: load(path), package) == Passed(modules=1, functions=1, branches=1)
    assert measure_call(lambda: load(path), package / "inner").modules == 0


def test_lines_of_python_functions_include_decorators(package: Path) -> None:
    lines = {one.name: one.lines for one in python_functions(package / "module.py")}
    assert lines == {"called": 18, "not_called": 2, "nested": 2, "<lambda>": 1}


def test_lines_of_cython_functions_end_at_the_next_line_that_is_not_deeper(package: Path) -> None:
    found = cython_functions(package / "inner" / "loops.pyx")
    assert {one.name: one.lines for one in found} == {"cut": 6, "short": 1, "method": 2}


def test_sizes_name_the_largest_parts_and_count_modules_by_package(package: Path) -> None:
    assert size_rows(package) == [
        ["lines of the largest module", "tiny/module.py", str(MODULE.count("\n"))],
        ["lines of the longest function", "tiny/module.py: called", "18"],
        ["modules", "tiny", "2"],
        ["modules in a package", "tiny", "1"],
        ["modules in a package", "tiny/inner", "1"],
    ]


def test_structure_command_traces_a_bundled_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["structure"]) == 0
    rows = [line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines()[2:]]
    modules, functions, branches = (int(count) for _, count in rows[:3])
    assert 5 < modules <= functions
    assert branches > 5
    assert any("scrapy_cetr/extraction/page" in name for name, _ in rows)


def test_structure_command_refuses_a_page_that_does_not_exist(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["structure", "nosuch.html"]) == 2
    assert "'nosuch.html' is given" in capsys.readouterr().err
