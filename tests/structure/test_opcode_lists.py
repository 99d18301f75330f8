"""Lists of opcodes have names: those of kinds in ir/instructions.py, those of flow in ir/value_edges.py.

A walk with a tuple of its own answers a question that others answer otherwise. Tables whose keys are opcodes may list
them: a handler for each.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from enzyme_cc.ir.instructions import INSTRUCTIONS

from .trees import tree

ROOT = Path(__file__).parents[2] / "enzyme_cc"
#: the IR itself, and derivatives by name
_TABLES = ("ir", "rules")


def private_lists(module: ast.Module) -> Iterator[int]:
    """Yields the lines of lists of two opcodes or more that are no keys of a table."""
    keys = {id(n.args[0]) for n in ast.walk(module) if isinstance(n, ast.Call) and n.args and _is_from_keys(n)}
    for node in ast.walk(module):
        words = _words(node)
        if len(words) > 1 and all(word in INSTRUCTIONS for word in words) and id(node) not in keys:
            yield node.lineno  # type: ignore[attr-defined]


def _is_from_keys(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "fromkeys"


def _words(node: ast.AST) -> list[str]:
    if isinstance(node, ast.MatchOr):  # case "phi" | "select"
        values = [p.value for p in node.patterns if isinstance(p, ast.MatchValue)]
        return [v.value for v in values if isinstance(v, ast.Constant) and isinstance(v.value, str)]
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        constants = [e.value for e in node.elts if isinstance(e, ast.Constant) and isinstance(e.value, str)]
        return constants if len(constants) == sum(not isinstance(e, ast.Starred) for e in node.elts) else []
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
        text = node.func.value
        return text.value.split() if isinstance(text, ast.Constant) and isinstance(text.value, str) else []
    return []


def test_no_file_has_a_list_of_its_own() -> None:
    files = [path for path in sorted(ROOT.rglob("*.py")) if path.relative_to(ROOT).parts[0] not in _TABLES]
    trees = {path.relative_to(ROOT): tree(path) for path in files}
    found = [f"{path}:{line}" for path, module in trees.items() for line in private_lists(module)]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        'i.opcode in ("zext", "sext")',
        '_MOVES = {"phi", "select"}',
        '_MOVES = COPIES | {"store", "ret"}',
        '_MOVES = ("load", "store", *_OTHERS)',
        '_MOVES = frozenset("phi select freeze".split())',
        'dict.fromkeys(values, ["phi", "select"])',
    ],
)
def test_every_form_of_list_is_seen(text: str) -> None:
    assert list(private_lists(ast.parse(text))) == [1]


def test_alternatives_of_a_case_are_seen() -> None:
    text = 'match i.opcode:\n    case "{}":\n        pass\n'
    assert list(private_lists(ast.parse(text.format('phi" | "select')))) == [2]
    assert list(private_lists(ast.parse(text.format("phi")))) == []


@pytest.mark.parametrize(
    "text",
    ['COPIES | {"bitcast"}', '{"phi": f, "select": g}', 'dict.fromkeys(("phi", "select"), f)', '("load", "file")'],
)
def test_tables_and_other_words_are_none(text: str) -> None:
    assert list(private_lists(ast.parse(text))) == []
