"""The size and shape of the code: what one page passes through, and the largest parts.

Only functions written in Python are traced; compiled loops appear in the sizes, not in the trace.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import scrapy_cetr
from benchmarks.contenders import PROBE
from benchmarks.table import Table
from scrapy_cetr.extraction import extract

PACKAGE = Path(scrapy_cetr.__file__).parent
SOURCES = ("*.py", "*.pyx", "*.pxi")
HEADERS = ("measure", "where", "count")
# Loops are no branches.
BRANCHES = (ast.If, ast.IfExp, ast.match_case)
PythonFunction = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
# The first line of a function in Cython; a declaration of a variable has "=" before "(".
CYTHON_FUNCTION = re.compile(r"( *)(?:def|cdef|cpdef)\b[^=(]*?(\w+)(?:\[.*\])?\(")


@dataclass(frozen=True, kw_only=True)
class Function:
    """A function in a source file; ``first`` is the line of its first decorator, if any."""

    file: Path
    name: str
    first: int
    lines: int
    branches: int = 0


@dataclass(frozen=True, kw_only=True)
class Passed:
    """The modules and functions of a package that a call executed."""

    modules: int
    functions: int
    branches: int


def trace_codes(call: Callable[[], object]) -> set[CodeType]:
    """Return the code of all Python functions that a call executes."""
    codes: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            codes.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(before)
    return codes


def measure_call(call: Callable[[], object], package: Path) -> Passed:
    """Count what a call executes of a package, and the branches in it."""
    package = package.resolve()
    executed = {
        (Path(code.co_filename).resolve(), code.co_name, code.co_firstlineno)
        for code in trace_codes(call)
        # A module or class body runs at import, and belongs to no page.
        if code.co_flags & CO_OPTIMIZED
    }
    files = {file for file, _, _ in executed if file.is_relative_to(package)}
    functions = [
        function
        for file in files
        for function in python_functions(file)
        if (file, function.name, function.first) in executed
    ]
    return Passed(
        modules=len(files),
        functions=len(functions),
        branches=sum(function.branches for function in functions),
    )


def python_functions(file: Path) -> Iterator[Function]:
    """Yield all functions of a module, lambdas and nested functions included."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, PythonFunction):
            decorators = getattr(node, "decorator_list", ())
            first = min((one.lineno for one in decorators), default=node.lineno)
            yield Function(
                file=file,
                name=getattr(node, "name", "<lambda>"),
                first=first,
                lines=(node.end_lineno or first) - first + 1,
                branches=count_branches(node),
            )


def count_branches(function: ast.AST) -> int:
    """Count the branches of a function without those of functions inside it.

    >>> count_branches(ast.parse("def f(a): return [b if b else a for b in a] if a else f").body[0])
    2
    """
    count = 0
    for node in ast.iter_child_nodes(function):
        if not isinstance(node, PythonFunction):
            count += isinstance(node, BRANCHES) + count_branches(node)
    return count


def cython_functions(file: Path) -> Iterator[Function]:
    """Yield all functions of a Cython file; each lasts until the next line that is not deeper."""
    lines = file.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        if start := CYTHON_FUNCTION.match(line):
            length = 1
            for ahead, following in enumerate(lines[number + 1 :], start=2):
                indent = len(following) - len(following.lstrip())
                if following.strip() and not following.lstrip().startswith(")"):
                    if indent <= len(start[1]):
                        break
                    length = ahead
            yield Function(file=file, name=start[2], first=number + 1, lines=length)


def functions_of(file: Path) -> Iterator[Function]:
    """Yield all functions of a source file."""
    return python_functions(file) if file.suffix == ".py" else cython_functions(file)


def source_files(package: Path) -> list[Path]:
    """List the source files of a package."""
    return sorted(file for kind in SOURCES for file in package.rglob(kind))


def line_count(file: Path) -> int:
    """Count the lines of a file."""
    return len(file.read_text(encoding="utf-8").splitlines())


def size_rows(package: Path) -> list[list[str]]:
    """Write the sizes of a package: its largest module and function, and modules per package."""
    files = source_files(package)
    largest = max(files, key=line_count)
    longest = max(
        (function for file in files for function in functions_of(file)),
        key=lambda function: function.lines,
    )
    counts = Counter(file.parent for file in files)
    return [
        ["lines of the largest module", inside(package, largest), str(line_count(largest))],
        [
            "lines of the longest function",
            f"{inside(package, longest.file)}: {longest.name}",
            str(longest.lines),
        ],
        ["modules", package.name, str(len(files))],
        *(
            ["modules in a package", inside(package, folder), str(count)]
            for folder, count in sorted(counts.items())
        ),
    ]


def inside(package: Path, path: Path) -> str:
    """Write a path from the package on."""
    return path.relative_to(package.parent).as_posix()


def structure_table(page: Path) -> Table:
    """Show what the text of a page passes through, and the sizes of the package."""
    html = page.read_bytes()
    # Lazy imports and tables that are made once are no part of a page.
    extract(PROBE).text  # noqa: B018
    passed = measure_call(lambda: extract(html).text, PACKAGE)
    return Table(HEADERS, [*passed_rows(passed, page.name), *size_rows(PACKAGE)], name_columns=2)


def passed_rows(passed: Passed, page: str) -> Sequence[list[str]]:
    """Write what a page passed through."""
    return [
        ["modules that a page passes through", page, str(passed.modules)],
        ["functions that a page passes through", page, str(passed.functions)],
        ["branches in these functions", page, str(passed.branches)],
    ]
