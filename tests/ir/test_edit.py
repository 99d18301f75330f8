"""Edits of control flow keep phis consistent with predecessors."""

from __future__ import annotations

from enzyme_cc.ir.edit import drop_incoming, drop_unreachable, join_blocks, move_tail
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Function
from enzyme_cc.ir.verify import verify_function

TEXT = """
define double @f(double %x, i1 %c) {
entry:
  br i1 %c, label %left, label %right
left:
  %a = fadd double %x, 1.0
  br label %end
right:
  br label %end
lost:
  br label %end
end:
  %y = phi double [ %a, %left ], [ %x, %right ], [ 0.0, %lost ]
  ret double %y
}
"""


def function() -> Function:
    return Module.parse(TEXT).body("@f")


def names(f: Function) -> list[str]:
    return [block.name for block in f.blocks]


def test_blocks_that_nothing_reaches_go_with_their_values() -> None:
    f = function()
    drop_unreachable(f)
    assert names(f) == ["entry", "left", "right", "end"]
    assert [block.name for _, block in f.blocks[-1].phis[0].incoming] == ["left", "right"]
    verify_function(f, "the edit")


def test_only_the_pairs_of_one_block_are_dropped() -> None:
    f = function()
    phi, lost = f.blocks[-1].phis[0], next(block for block in f.blocks if block.name == "lost")
    drop_incoming(phi, lost)
    assert len(phi.incoming) == 2
    drop_incoming(phi, f.entry)  # it is no predecessor
    assert len(phi.incoming) == 2


def test_phis_name_the_block_that_a_branch_moves_to() -> None:
    f = function()
    drop_unreachable(f)
    left, new = f.blocks[1], f.add_block()
    move_tail(left.instructions[1], new)
    assert [i.opcode for i in left.instructions] == ["fadd"]
    assert new in [block for _, block in f.blocks[-2].phis[0].incoming]


def test_a_block_that_only_follows_another_is_joined_with_it() -> None:
    text = "define double @f(double %x) {\nentry:\n  br label %on\non:\n  br label %end\nend:\n  ret double %x\n}"
    f = Module.parse(text).body("@f")
    join_blocks(f)
    assert len(f.blocks) == 1
    f = function()
    drop_unreachable(f)
    join_blocks(f)
    assert "end" in names(f)  # it has a phi
