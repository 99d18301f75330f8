"""Sets of edges between values: what each says of every opcode, and that uses are the reverse of origins."""

from __future__ import annotations

import re

import pytest

from enzyme_cc.ir import value_edges
from enzyme_cc.ir.constants import ConstantInt
from enzyme_cc.ir.instructions import INSTRUCTIONS
from enzyme_cc.ir.value_edges import PASSED, SAME_OBJECT, ValueEdges
from enzyme_cc.ir.values import Argument, Function, Instruction
from tests.ir.llvm_check import parsed
from tests.ir.test_instructions import PARAMETERS, PRELUDE, VALID

#: which operands count: those that the result may be equal to, the first one, or all. Other opcodes are not in the set.
TABLE = """
COPIED | passed phi select freeze
PASSED | passed bitcast addrspacecast phi select freeze
FEW_VALUES | passed phi select freeze | first sext
SAME_OBJECT | passed bitcast addrspacecast phi select freeze | first getelementptr
MOVED_POINTER | passed bitcast addrspacecast freeze | first getelementptr
BEHIND_POINTER | passed bitcast addrspacecast phi select freeze | first getelementptr load
BEHIND_MOVED_POINTER | passed bitcast addrspacecast freeze | first getelementptr load
DERIVED_ADDRESS | all add and or ptrtoint ptrtoaddr phi select freeze getelementptr
ADDRESS_ARITHMETIC | all add sub mul shl trunc zext sext getelementptr
NAMED | passed bitcast freeze | first trunc zext sext ptrtoint inttoptr load
SHADOW_COPIED | all ptrtoint inttoptr bitcast addrspacecast select freeze extractvalue extractelement shufflevector
ADDRESS_WORD | all add sub shl lshr and or xor phi select freeze
COMPUTED_ADDRESS | all add sub shl lshr and or
TAGGED_BY_CONSTANT | all add shl and or xor
TAGGED | all add sub and or
TAGGED_WORD | all add sub and or xor phi select freeze extractvalue insertvalue
POINTER_WORD | all add and or phi select freeze
DISTANCE | all add sub and or xor trunc zext sext ptrtoint inttoptr phi select freeze
CHOSEN | all phi select freeze
EXTENDED | passed freeze | first zext sext
RESIZED | passed freeze | first trunc zext sext
PART | first lshr trunc
TAKEN_APART | all lshr trunc bitcast phi select freeze
PACKED | all shl lshr and or trunc zext bitcast phi select freeze
MOVED_WORD | all lshr trunc ptrtoint phi select freeze extractvalue insertvalue
COMPUTED_WORD | all add sub mul udiv sdiv urem srem shl lshr ashr and or xor trunc zext sext ptrtoint phi select
    freeze extractvalue insertvalue
COMPUTED_IN_PLACE | all add sub mul udiv sdiv urem srem shl lshr ashr and or xor phi select freeze
STRUCT_PARTS | all phi select freeze extractvalue insertvalue
MOVED_BITS | all bitcast phi select freeze extractvalue insertvalue extractelement insertelement shufflevector
COMPUTED_BITS | all add sub mul udiv sdiv urem srem shl lshr ashr and or xor trunc zext sext bitcast phi select
    freeze extractvalue insertvalue extractelement insertelement shufflevector
COPIED_BYTES | all add sub shl lshr ashr and or xor trunc zext sext bitcast phi select freeze extractvalue
    insertvalue extractelement insertelement shufflevector
ANY_BITS | all add sub mul udiv sdiv urem srem shl lshr ashr and or xor trunc zext sext ptrtoint inttoptr bitcast
    phi select freeze extractvalue insertvalue extractelement insertelement shufflevector
SAME_PLACE | all and or xor trunc zext phi select freeze
IN_PLACE | all add sub and or xor trunc zext sext phi select freeze
WHOLE_NUMBER | all add sub shl lshr ashr and or xor trunc zext sext phi select freeze
MOVED_NUMBER | all fptrunc fpext phi select freeze extractvalue insertvalue extractelement insertelement
    shufflevector
RESIZED_NUMBER | passed bitcast freeze | first fptrunc fpext
COMPARED_NUMBER | passed bitcast phi select | first fpext
MOVED_LANES | all phi select insertelement shufflevector
LANES_OF_BITS | all and or xor bitcast phi select shufflevector
"""
_OPERANDS = {"first": slice(0, 1), "all": slice(None)}


def _expected() -> dict[str, dict[str, slice | None]]:
    found: dict[str, dict[str, slice | None]] = {}
    for line in re.sub(r"\n +", " ", TABLE.strip()).splitlines():
        name, *parts = line.split(" | ")
        words = [(kind, opcode) for part in parts for kind, *opcodes in [part.split()] for opcode in opcodes]
        found[name] = {opcode: _OPERANDS.get(kind, INSTRUCTIONS[opcode].passed) for kind, opcode in words}
    return found


EDGES = {name: edges for name, edges in vars(value_edges).items() if isinstance(edges, ValueEdges)}


def test_every_set_has_a_row() -> None:
    assert EDGES.keys() == _expected().keys()


@pytest.mark.parametrize("name", EDGES)
def test_every_opcode_of_a_set(name: str) -> None:
    expected = _expected()[name]
    assert expected.keys() <= INSTRUCTIONS.keys()
    assert {o: EDGES[name].rows.get(o) for o in INSTRUCTIONS} == {o: expected.get(o) for o in INSTRUCTIONS}


def test_sets_of_opcodes_name_opcodes() -> None:
    sets = [value for value in vars(value_edges).values() if isinstance(value, frozenset)]
    assert all(opcodes <= INSTRUCTIONS.keys() for opcodes in sets)


def _function() -> Function:
    lines = "\n".join(re.sub("%r", f"%r{k}", line) for k, line in enumerate(VALID.strip().splitlines()))
    text = f"{PRELUDE}define void @f({PARAMETERS}) {{\n{lines}\nret void\n}}\n"
    return parsed(text).body("@f")


@pytest.mark.parametrize("name", EDGES)
def test_uses_are_the_reverse_of_origins(name: str) -> None:
    edges, function = EDGES[name], _function()
    values = [*function.arguments, *function.instructions()]
    from_uses = {(value, user) for value in values for user in edges.users(value)}
    from_origins = {
        (operand, i)
        for i in function.instructions()
        for operand in edges.operands(i)
        if isinstance(operand, Argument | Instruction)
    }
    assert from_uses == from_origins
    assert from_origins


TEXT = """define ptr @f(i1 %c, ptr %p, ptr %q) {
entry:
  %s = select i1 %c, ptr %p, ptr %q
  br label %next

next:
  %phi = phi ptr [ %s, %entry ], [ %frozen, %next ]
  %frozen = freeze ptr %phi
  %same = bitcast ptr %frozen to ptr
  %moved = getelementptr i8, ptr %same, i64 8
  br i1 %c, label %next, label %end

end:
  ret ptr %moved
}
"""


def test_operands_that_a_result_may_be_equal_to() -> None:
    values = {i.name: i for i in parsed(TEXT).body("@f").instructions()}
    names = {name: [getattr(o, "name", "") for o in PASSED.operands(i)] for name, i in values.items() if name}
    assert names == {"s": ["p", "q"], "phi": ["s", "frozen"], "frozen": ["phi"], "same": ["frozen"], "moved": []}


def test_a_condition_is_no_copy() -> None:
    function = parsed("define i1 @f(i1 %c, i1 %d) {\n%s = select i1 %c, i1 %d, i1 true\nret i1 %s\n}").body("@f")
    condition, chosen = function.arguments
    assert PASSED.users(condition) == []
    assert [i.opcode for i in PASSED.users(chosen)] == ["select"]


def test_constants_have_no_uses() -> None:
    i = next(i for i in parsed(TEXT).body("@f").instructions() if i.opcode == "getelementptr")
    assert isinstance(i.operands[1], ConstantInt)
    assert SAME_OBJECT.users(i.operands[1]) == []


def test_sets_that_disagree_are_not_joined() -> None:
    with pytest.raises(AssertionError):
        value_edges.COPIED.joined(value_edges.CHOSEN)
