"""Decisions about the state of a shadow stand in one place: emit/shadow_access, which asks analysis/memory.

Each read of one of these names elsewhere is such a decision, inline.
"""

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

from .test_imports import ROOT
from .test_shape import sources
from .trees import tree

MOST = 10
#: the questions: is it unshadowed, is it recorded there, do the bytes hold other things at other times
QUESTIONS = {
    *("is_unshadowed", "is_unshadowed_block", "lies_in_unshadowed", "may_be_unshadowed", "is_surely_shadowed"),
    *("is_recorded", "records_numbers", "records_pointers", "refuses_numbers", "refuse_write", "Presence"),
    *("is_mixed", "is_mixed_store", "holds_others", "mixing_of", "mixing_at", "is_tagged_by_words"),
    *("is_constant_memory", "has_own_shadow", "keeps_numbers", "notes_pointers"),
}
#: what code that emits nothing asks too: of types, or for a whole request
OF_ANALYSES = {"is_mixed", "is_mixed_store", "mixing_of", "refuse_write", "Presence", "is_constant_memory"}
#: where the answers are made
MAKERS = ("emit/shadow_access/", "analysis/memory/shadow_state.py", "analysis/type_analysis/")
EMITTING = ("emit/", "reverse/", "tangent/", "custom/")


def reads(module: ast.Module, names: Collection[str]) -> Iterator[int]:
    """Yields the lines that read one of the names; definitions and imports do not."""
    for node in ast.walk(module):
        if isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load):
            name = node.attr if isinstance(node, ast.Attribute) else node.id
            if name in names:
                yield node.lineno


def decisions(names: Collection[str], rooms: Collection[str]) -> list[str]:
    """Returns the places in some rooms of enzyme_cc that decide about a shadow's state inline."""
    files = [path for path in sources("enzyme_cc") if is_in(path, rooms) and not is_in(path, MAKERS)]
    return [f"{path.relative_to(ROOT)}:{line}" for path in files for line in reads(tree(path), names)]


def is_in(path: Path, rooms: Collection[str]) -> bool:
    return any(f"/{room}" in path.as_posix() for room in rooms)


def test_handlers_leave_the_decisions_to_shadow_access() -> None:
    assert len(found := decisions(QUESTIONS, EMITTING)) <= MOST, found


def test_few_questions_of_types_stand_elsewhere() -> None:
    assert len(found := decisions(OF_ANALYSES, ["enzyme_cc/"])) <= MOST, found


def test_reads_are_counted_and_definitions_are_not() -> None:
    text = "from a import is_mixed\ndef is_mixed(): ...\nif x.is_mixed(p) or is_mixed(q):\n    x.is_mixed = 1\n"
    assert list(reads(ast.parse(text), {"is_mixed"})) == [3, 3]
