"""What the package may do with what comes from the network, as far as its code tells."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import scrapy_cetr

FILES = sorted(Path(scrapy_cetr.__path__[0]).rglob("*.py"))
# What makes objects or code of bytes.
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
