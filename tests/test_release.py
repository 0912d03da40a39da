"""The package makes no objects or code of bytes, and the release check runs existing tests."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import scrapy_cetr
from release.check import ROOT, TEST_FILES, TESTS

FILES = sorted(Path(scrapy_cetr.__path__[0]).rglob("*.py"))
# Modules and functions that make objects or code of bytes.
UNSAFE = {"pickle", "cPickle", "marshal", "shelve", "dill", "joblib", "yaml"}
CALLS = {"eval", "exec", "compile", "__import__"}


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_module_makes_objects_or_code_of_bytes(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert UNSAFE.isdisjoint(imported(tree))
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert CALLS.isdisjoint(called)
    assert "allow_pickle=True" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*(f"tests/{name}" for name in TESTS), *TEST_FILES])
def test_release_check_names_existing_files(name: str) -> None:
    assert (ROOT / name).exists()
