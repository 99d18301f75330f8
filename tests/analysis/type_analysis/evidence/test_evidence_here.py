"""What the nodes at a place tell at once decides questions as all evidence does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from enzyme_cc.analysis.type_analysis.analysis import FLOATS, TypeAnalysis
from enzyme_cc.analysis.type_analysis.evidence.collected_evidence import Collected
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.types import PointerType
from enzyme_cc.ir.values import Function, Value
from tests.analysis.support import Kind, compile_c

ROOT = Path(__file__).parents[4]
PROGRAMS = sorted((ROOT / "tests" / "programs" / "types").glob("*.c"))[::3]  # all of them take minutes
INCLUDES = [f"-I{ROOT / path}" for path in ("toolchain/include", "tests/programs/types")]
SIZES = (4, 8, 24, 400, 6000, None)


def of_all_evidence(module: Module, functions: list[Function]) -> TypeAnalysis:
    """Returns type analysis that always collects all evidence."""
    types = TypeAnalysis(module, functions)
    setattr(types.evidence, "here", lambda places, size: Collected.of(()))  # noqa: B010 (a method)
    return types


def answers(types: TypeAnalysis, pointer: Value) -> Iterator[tuple[int | None, object]]:
    for size in SIZES:
        yield size, types.contents(pointer, size).layout
        yield size, types.contents(pointer, size).words()
        yield size, [kinds - {Kind.INTEGER} for kinds in types.contents(pointer, size).words(integers=True)]
        yield size, types.contents(pointer, size).first_word
        yield size, types.contents(pointer, size).is_mixed
        yield size, types.contents(pointer, size).is_tagged()
        yield size, types.contents(pointer, size).is_tagged(copied=True)
        if size is not None:
            yield size, types.contents(pointer, size).may_be_numbers
            yield size, types.contents(pointer, size).only_kind
            yield size, types.contents(pointer, size).begins_with_number
    for bits in (32, 64):
        yield bits // 8, types.contents(pointer, bits // 8).holds_number
    yield None, types.contents(pointer, None).has(frozenset([Kind.POINTER]))
    yield None, types.contents(pointer, None).has(FLOATS)


#: programs with so many pointers that these take longest
LONG = {"union_packed_or_popped", "numbers_behind_void_pointers", "union_popped_apart", "union_reused"}
#: all of them take more than a minute, too
SLOW = {path for k, path in enumerate(PROGRAMS) if k % 2 or path.stem in LONG}


@pytest.mark.parametrize(
    "path", [pytest.param(p, id=p.stem, marks=[pytest.mark.slow] if p in SLOW else []) for p in PROGRAMS]
)
def test_a_part_of_the_evidence_decides_as_all_of_it(path: Path) -> None:
    module = Module.parse(compile_c(path.read_text(), "-O1", "c", "-w", *INCLUDES))
    functions = [module.body(name) for name, f in module.functions.items() if not f.is_declaration]
    quick, slow = TypeAnalysis(module, functions), of_all_evidence(module, functions)
    operands = [o for f in functions for i in f.instructions() for o in i.operands if isinstance(o.type, PointerType)]
    asked = [p for p in dict.fromkeys(operands) if quick.points_to.targets(p) is not None]
    assert asked
    for pointer in asked:
        for (size, said), (_, expected) in zip(answers(quick, pointer), answers(slow, pointer), strict=True):
            assert said == expected, f"{size} bytes at {pointer}"
