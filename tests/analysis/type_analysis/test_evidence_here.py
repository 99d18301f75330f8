"""What the nodes at a place tell at once decides questions as all evidence does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from enzyme_cc.analysis.type_analysis.analysis import TypeAnalysis
from enzyme_cc.analysis.type_analysis.evidence.collected_evidence import Collected
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.types import IntType, PointerType
from enzyme_cc.ir.values import Value
from tests.analysis.support import Kind, compile_c

ROOT = Path(__file__).parents[3]
PROGRAMS = sorted((ROOT / "tests" / "programs" / "types").glob("*.c"))[::3]  # all of them take minutes
INCLUDES = [f"-I{ROOT / path}" for path in ("toolchain/include", "tests/programs/types")]
SIZES = (4, 8, 24, 400, 6000, None)


class OfAllEvidence(TypeAnalysis):
    """Type analysis that always collects all evidence."""

    def _here(self, pointers: Iterable[Value], size: int | None) -> Collected:
        return Collected.of(())


def answers(types: TypeAnalysis, pointer: Value) -> Iterator[tuple[int | None, object]]:
    for size in SIZES:
        yield size, types.layout(pointer, size)
        yield size, types.words([pointer], size)
        yield size, [kinds - {Kind.INTEGER} for kinds in types.words([pointer], size, integers=True)]
        yield size, types.first_word([pointer], size)
        yield size, types.is_mixed(pointer, size)
        yield size, types.is_told_by_words(pointer, size)
        yield size, types.is_told_by_words(pointer, size, copied=True)
        if size is not None:
            yield size, types.may_be_number_at(pointer, size)
    for bits in (32, 64):
        yield bits // 8, types.holds_number_of(pointer, IntType(bits))
    yield None, types.has_pointers_behind(pointer)
    yield None, types.has_numbers_behind(pointer)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_part_of_the_evidence_decides_as_all_of_it(path: Path) -> None:
    module = Module.parse(compile_c(path.read_text(), "-O1", "c", "-w", *INCLUDES))
    functions = [module.body(name) for name, f in module.functions.items() if not f.is_declaration]
    quick, slow = TypeAnalysis(module, functions), OfAllEvidence(module, functions)
    operands = [o for f in functions for i in f.instructions() for o in i.operands if isinstance(o.type, PointerType)]
    asked = [p for p in dict.fromkeys(operands) if quick.targets(p) is not None]
    assert asked
    for pointer in asked:
        for (size, said), (_, expected) in zip(answers(quick, pointer), answers(slow, pointer), strict=True):
            assert said == expected, f"{size} bytes at {pointer}"
