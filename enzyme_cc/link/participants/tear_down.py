"""Finds calls that free what set-up calls made (`set_up.py`), at the end of a requested function.

The reverse sweep needs that memory. So such a call waits until the gradient is done, as the release of a block does. It
runs as native code then. This is right only if nothing that follows the call depends on what it does:

- nobody uses its result, and it is given only what set-up calls returned, or left in variables on the stack;
- only calls of its kind, arithmetic and accesses to variables on the stack follow, up to the end of the request.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import chain

from enzyme_cc.analysis.values.flow import stripped
from enzyme_cc.ir.constants import GlobalRef
from enzyme_cc.ir.graphs import reachable
from enzyme_cc.ir.instructions import ACCESSES
from enzyme_cc.ir.types import is_pointer
from enzyme_cc.ir.value_edges import BEHIND_MOVED_POINTER, MOVED_POINTER
from enzyme_cc.ir.values import Function, Instruction, Value

WITHOUT_EFFECT = ("@llvm.lifetime.", "@llvm.dbg.", "@llvm.assume", "@llvm.memset.")


def variable_of(value: Value) -> Instruction | None:
    """Returns the variable on the stack that a pointer points into, if it can be told."""
    value = stripped(value, MOVED_POINTER)
    return value if isinstance(value, Instruction) and value.opcode == "alloca" else None


class TearDown:
    """The calls in `bodies`, and which `functions` free what the functions `set_up` made. Names have their @."""

    def __init__(
        self,
        bodies: Collection[Function],
        requested: Collection[str],
        set_up: frozenset[str],
        may_come_last: Callable[[str], bool],
    ) -> None:
        self._requested = requested
        self._calls: dict[str, list[Instruction]] = {}
        for i in chain.from_iterable(body.instructions() for body in bodies):
            if i.is_call:
                self._calls.setdefault(_callee(i), []).append(i)
        self._makers = set_up | {_function(call).name for name in set_up for call in self._calls[name]}
        self._found = {name for name in self._calls if may_come_last(name) and name not in set_up}
        while wrong := {name for name in self._found if not all(map(self._frees, self._calls[name]))}:
            self._found -= wrong

    @property
    def functions(self) -> frozenset[str]:
        return frozenset(self._found)

    def _frees(self, call: Instruction) -> bool:
        pointers = [a for a in call.arguments if is_pointer(a.type)]
        return not call.users and bool(pointers) and all(map(self._is_made, pointers)) and self._comes_last(call)

    def _is_made(self, value: Value) -> bool:
        """True for what a set-up call returned, and for what lies in a variable that it was given."""
        value = stripped(value, BEHIND_MOVED_POINTER)
        if not isinstance(value, Instruction):
            return False
        if value.is_call:
            return _callee(value) in self._makers
        return value.opcode == "alloca" and any(u.is_call and _callee(u) in self._makers for u in value.users)

    def _comes_last(self, call: Instruction) -> bool:
        block, name = call.block, _function(call).name
        assert block is not None
        rest = block.instructions[block.instructions.index(call) + 1 :]
        later = (b.instructions for b in reachable(block.successors, lambda b: b.successors))
        if not all(map(self._has_no_effect, chain(rest, *later))):
            return False
        return name in self._requested if name not in self._calls else all(map(self._comes_last, self._calls[name]))

    def _has_no_effect(self, i: Instruction) -> bool:
        if i.opcode in ACCESSES:
            return variable_of(i.operands[-1]) is not None
        return not i.is_call or _callee(i).startswith(WITHOUT_EFFECT) or _callee(i) in self._found


def _callee(call: Instruction) -> str:
    """Returns the name of the function that a call or invoke names, "" if it names none."""
    return call.callee.name if isinstance(call.callee, GlobalRef) else ""


def _function(i: Instruction) -> Function:
    assert i.block is not None and i.block.function is not None
    return i.block.function
