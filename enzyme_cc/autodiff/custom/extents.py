"""Makes functions that tell which bytes a routine of a library reads and writes behind each of its pointers.

The body of a routine has loops over the memory that the library's function accesses (<enzyme/derivative.h>), and never
runs. Its extents function is a copy of this body. In place of each access, it notes the place in the row of the
pointer's argument (toolchain/runtime/no_shadow_routines.c). Numbers that the body would load are zero.
"""

from __future__ import annotations

from ...analysis.callees import ROUTINE
from ...analysis.integers.offsets import base_of
from ...ir.builder import Builder
from ...ir.cfg import reverse_postorder
from ...ir.constants import Constant, GlobalRef
from ...ir.folding import int_constant, zero
from ...ir.instructions import ATOMIC_UPDATES
from ...ir.types import I1, I64, PTR, VOID, FunctionType, is_pointer, store_size
from ...ir.values import Argument, Block, Function, Instruction, Value
from ...rules import runtime_functions as runtime
from ..core.round import Round

_PREFIX = "@__ez_extents_of."
_COPIES = ("@llvm.memcpy.", "@llvm.memmove.")
_IGNORED = ("@llvm.lifetime.", "@llvm.dbg.", "@llvm.assume", "@llvm.experimental.noalias.")


class _Unknown(Exception):
    """The body has an access whose argument is not known."""


def extents_function(round: Round, routine: str) -> str | None:
    """Returns the name of the function, which is made once; None if the body does not tell.

    It takes the routine's arguments, the row of each pointer among them, and whether anything is asked.
    """
    if routine not in round.extents:
        round.extents[routine] = None  # of one that calls itself
        try:
            made = _Extents(round, routine).made()
        except _Unknown:
            return None
        round.enter(made)
        round.extents[routine] = made.name
    return round.extents[routine]


class _Extents:
    def __init__(self, round: Round, routine: str) -> None:
        self._round = round
        self._body = round.source.body(routine)
        pointers = [a for a in self._body.arguments if is_pointer(a.type)]
        types = [*(a.type for a in self._body.arguments), *(PTR for _ in pointers), I1]
        parameters = [Argument(type_, "", "", k) for k, type_ in enumerate(types)]
        name = _PREFIX + self._body.name.removeprefix("@")
        self._made = Function(name, FunctionType(VOID, tuple(types)), parameters, "internal", "nounwind")
        first = len(self._body.arguments)
        self._rows = dict(zip(pointers, parameters[first:-1], strict=True))
        self._values: dict[Value, Value] = dict(zip(self._body.arguments, parameters, strict=False))
        self._blocks: dict[Block, Block] = {}
        self._b = Builder(self._made.add_block())

    def made(self) -> Function:
        """Returns the function."""
        order = reverse_postorder(self._body.entry)
        self._blocks = {block: self._made.add_block() for block in order}
        end = self._made.add_block()
        Builder(end).ret(None)
        self._b.emit("br", VOID, [self._made.arguments[-1], self._blocks[self._body.entry], end])
        for block in order:
            self._b = Builder(self._blocks[block])
            for i in block.instructions:
                self._values[i] = self._copied(i)
        for phi in (phi for block in order for phi in block.phis):
            self._complete(phi)
        return self._made

    def _complete(self, phi: Instruction) -> None:
        copy = self._values[phi]
        assert isinstance(copy, Instruction)
        for value, block in ((v, b) for v, b in phi.incoming if b in self._blocks):
            copy.append_operand(self._of(value))
            copy.append_operand(self._blocks[block])

    def _of(self, value: Value) -> Value:
        if isinstance(value, Block):
            return self._blocks[value]
        return value if isinstance(value, Constant) else self._values[value]

    def _copied(self, i: Instruction) -> Value:
        """Emits what stands for an instruction, and returns its value."""
        if i.opcode == "load" and not is_pointer(i.type):
            self._note(i.operands[0], int_constant(store_size(i.type)))
            return zero(i.type)
        if i.opcode == "store":
            self._note(i.operands[1], int_constant(store_size(i.operands[0].type)))
            return i
        if i.opcode == "call":
            return self._call(i)
        if i.opcode in ATOMIC_UPDATES | {"load"} or i.opcode == "invoke":
            raise _Unknown
        operands = [] if i.opcode == "phi" else [self._of(o) for o in i.operands]
        return self._b.emit(i.opcode, i.type, operands, i.extra, i.flags)

    def _call(self, i: Instruction) -> Value:
        name = str(i.callee)
        if name.startswith((*_COPIES, "@llvm.memset.")):
            for pointer in i.arguments[: 2 if name.startswith(_COPIES) else 1]:
                self._note(pointer, self._of(i.arguments[2]))
        elif name.startswith(f"@{ROUTINE}") and isinstance(i.callee, GlobalRef):
            self._call_routine(i, name)
        elif any(is_pointer(a.type) for a in i.arguments) and not name.startswith(_IGNORED):
            raise _Unknown
        return i if i.type == VOID else zero(i.type)

    def _call_routine(self, i: Instruction, name: str) -> None:
        other = extents_function(self._round, name)
        rows = [self._row(a) for a in i.arguments if is_pointer(a.type)]
        if other is None or None in rows:
            raise _Unknown
        given = [*map(self._of, i.arguments), *(row for row in rows if row is not None), int_constant(1, I1)]
        self._b.call(other, VOID, given)

    def _note(self, pointer: Value, size: Value) -> None:
        row = self._row(pointer)
        if row is not None:
            runtime.ROUTINE_TOUCHES.call(self._b, row, self._b.cast("ptrtoint", self._of(pointer), I64), size)

    def _row(self, pointer: Value) -> Value | None:
        """Returns the row of the argument that a pointer comes from; None for a local variable."""
        base = base_of(pointer)
        if isinstance(base, Argument):
            return self._rows[base]
        if isinstance(base, Instruction) and base.opcode == "alloca":
            return None
        raise _Unknown
