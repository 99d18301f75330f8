"""Clones a primal into a derivative function, with a shadow next to each value that has one.

Forward mode and the primal sweep of reverse mode share this. A shadow is computed as its primal is: by the same offset
from the shadow's base, the same cast, the same select.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import ClassVar

from ...ir.builder import Builder
from ...ir.constants import Constant, ConstantInt
from ...ir.folding import zero
from ...ir.instructions import ACCESSES, MAKES_VALUE, UNWINDING, InstructionKind, of_kind
from ...ir.types import I8, ArrayType
from ...ir.value_edges import PASSED
from ...ir.values import Argument, Block, CallInfo, Function, Instruction, Value
from ..analyses.function_analyses import FunctionAnalyses
from ..core.alias_scopes import MemoryKind
from ..core.calling_convention import Parameters, Prototype, Results
from ..globals.shadows import Shadows, constant_shadow
from .frame import kept_metadata
from .shadow_access.shadow_access import ShadowAccess
from .sweep import SCRATCH_BYTES, Sweep

Finish = Callable[[Block, Builder, Value | None], None]
Clone = Callable[..., object]


class Cloning(Sweep):
    """Clones every block of the primal into the target.

    `finish(block, builder, value)` emits the end of a block that returns.
    """

    #: how each opcode is cloned: a row for every row of the table of instructions
    clones: ClassVar[Mapping[str, Clone]] = {}

    def __init__(self, analyses: FunctionAnalyses, target: Function, finish: Finish) -> None:
        super().__init__(analyses, Builder(Block()))
        self.memory = ShadowAccess(self)
        self.target = target
        self.finish = finish
        self.primal: dict[Value, Value] = {}
        self.shadows: list[dict[Value, Value]] = [{} for _ in range(analyses.signature.directions)]
        self.blocks: dict[Block, Block] = {}
        self._phis: list[tuple[Instruction, Instruction, int | None]] = []

    # -- driving

    def run(self) -> None:
        flow = self.analyses.flow
        for block in flow.order:
            self.blocks[block] = self.target.add_block()
        self.begin()
        for block in flow.order:
            self._clone_block(block)
        for original, clone, direction in self._phis:
            self._complete_phi(original, clone, direction)

    def bind(self, parameters: Parameters[Argument]) -> None:
        """Maps the primal's arguments and their shadows to the parameters of the new function."""
        for k, argument in enumerate(self.analyses.function.arguments):
            self.primal[argument] = parameters.arguments[k]
            for direction, shadow in enumerate(parameters.shadows.get(k, ())):
                self.shadows[direction][argument] = shadow

    def results(self, proto: Prototype, value: Value | None) -> Results[Value]:
        """Returns the results of the new function where the primal returns `value`."""
        if value is None:
            return Results()
        shadows = [self.shadow_of(value) for _ in self.directions()] if proto.results.shadows else []
        return Results(None, self.of(value), shadows)

    def _complete_phi(self, original: Instruction, clone: Instruction, direction: int | None) -> None:
        for value, predecessor in original.incoming:
            if predecessor not in self.blocks:
                continue
            if direction is None:
                clone.append_operand(self.of(value))
            else:
                self.direction = direction
                clone.append_operand(self.shadow_of(value))
            clone.append_operand(self.blocks[predecessor])

    def _clone_block(self, block: Block) -> None:
        self.b = self.builder(self.blocks[block])
        phis = block.phis
        for phi in phis:
            self._clone(phi)
        self.open_block(block)
        for phi in phis:
            self.cloned(phi)
        for instruction in block.instructions[len(phis) : -1]:
            self._clone(instruction)
            self.cloned(instruction)
            self.compare_names(instruction)
        self.close_block(block)
        self._clone(block.terminator)

    def _clone(self, i: Instruction) -> None:
        self.target.come_from(i)
        self.clones.get(i.opcode, Cloning.refuse)(self, i)

    # -- what subclasses add

    def builder(self, block: Block) -> Builder:
        return Builder(block)

    def begin(self) -> None:
        """Is called before the first block is cloned."""

    def open_block(self, block: Block) -> None:
        """Is called when the phis of a block have clones."""

    def cloned(self, i: Instruction) -> None:
        """Is called after each instruction is cloned."""

    def compare_names(self, i: Instruction) -> None:
        """Ends the program if a pointer without a shadow leads to memory with a derivative."""

    def close_block(self, block: Block) -> None:
        """Is called before the terminator of a block is cloned."""

    def has_shadow(self, value: Value) -> bool:
        return self.activity.shadowed(value)

    # -- values

    @property
    def shadow(self) -> dict[Value, Value]:
        """The shadows of the current direction."""
        return self.shadows[self.direction]

    def of(self, value: Value) -> Value:
        """Returns the clone of a primal value."""
        return value if isinstance(value, Constant) else self.primal[value]

    def shadow_of(self, value: Value) -> Value:
        """Returns the shadow of a pointer, or the clone of the pointer if it has no shadow.

        A number that lies where pointers lie at other times is zero in the shadow.
        """
        if isinstance(value, Constant):
            return constant_shadow(Shadows(self.round, self.direction, self.forward), value)
        if value not in self.shadow and self.activity.carriers.is_made_of_numbers(value):
            return zero(value.type)
        return self.shadow[value] if value in self.shadow else self.primal[value]

    def scratch(self) -> Value:
        return self._scratch

    @cached_property
    def _scratch(self) -> Value:
        return Builder.first(self.target.entry).alloca(ArrayType(I8, SCRATCH_BYTES), align=16)

    def clone(self, i: Instruction, operands: Sequence[Value]) -> Instruction:
        extra = i.extra
        if isinstance(extra, CallInfo) and extra.tail:
            extra = CallInfo(
                extra.function_type,
                extra.argument_attributes,
                extra.convention,
                extra.result_attributes,
                extra.attributes,
                extra.bundles,
            )
        metadata = kept_metadata(i)
        if i.opcode in ACCESSES:
            metadata = self.round.scopes.of(MemoryKind.PRIMAL, metadata)
        return self.b.insert(Instruction(i.opcode, i.type, operands, extra, i.flags, metadata=metadata))

    def clone_plain(self, i: Instruction) -> Instruction:
        clone = self.clone(i, [self.blocks[o] if isinstance(o, Block) else self.of(o) for o in i.operands])
        self.primal[i] = clone
        return clone

    def clone_write(self, i: Instruction) -> None:
        """Clones a store, copy or fill, unless nothing reads what it writes."""
        if i not in self.analyses.dead_writes.writes:
            self.clone_plain(i)

    def clone_value(self, i: Instruction) -> None:
        """Clones a cast, select or aggregate.

        Its shadow is made from the shadows of operands that can hold pointers.
        """
        self.clone_plain(i)
        if self.has_shadow(i):
            for _ in self.directions():
                self.shadow[i] = self.shadow_value(i)

    def shadow_value(self, i: Instruction) -> Value:
        """Returns the shadow of a value that is made of pointers.

        A number inserted next to pointers is zero in the shadow, because it may be stored to shadow memory, which holds
        adjoints. In forward mode, so is a constant that is chosen in place of a pointer: it may be a number's bits.
        """
        can_point, moves_number = self.activity.carriers.can_point, self.activity.carriers.moves_number
        numbers = [o for o in PASSED.operands(i) if isinstance(o, ConstantInt) or moves_number(i, o)]
        operands = [self.shadow_of(o) if can_point(o) or o in numbers else self.of(o) for o in i.operands]
        if i.opcode == "insertvalue" and not can_point(i.operands[1]):
            operands[1] = zero(i.operands[1].type)
        return self.clone(i, operands)

    def clone_gep(self, i: Instruction) -> None:
        self.clone_plain(i)
        if self.has_shadow(i):
            for _ in self.directions():
                self.shadow[i] = self.clone(i, [self.shadow_of(i.operands[0]), *map(self.of, i.operands[1:])])

    def clone_phi(self, i: Instruction) -> None:
        self.primal[i] = self._open_phi(i, None)
        if self.has_shadow(i):
            for direction in self.directions():
                self.shadow[i] = self._open_phi(i, direction)

    def _open_phi(self, i: Instruction, direction: int | None) -> Instruction:
        clone = self.b.insert(Instruction("phi", i.type, flags=i.flags))
        self._phis.append((i, clone, direction))
        return clone

    # -- ends of blocks, and what has no clone

    def _clone_return(self, i: Instruction) -> None:
        assert i.block is not None
        self.finish(i.block, self.b, i.operands[0] if i.operands else None)

    def refuse(self, i: Instruction) -> None:
        """Raises the EnzymeError of an instruction that the mode cannot clone."""
        raise self.analyses.refusal(i)


#: rows of both modes
SHARED_CLONES: Mapping[str, Clone] = {
    "phi": Cloning.clone_phi,
    "getelementptr": Cloning.clone_gep,
    "ret": Cloning._clone_return,
    **dict.fromkeys("br switch indirectbr unreachable resume".split(), Cloning.clone_plain),
    # autodiff/unwinding has made branches of invoke; the rest is exception handling of other systems
    **dict.fromkeys(UNWINDING, Cloning.refuse),
}
#: opcodes that clone_value clones, unless a mode has a row of its own
CLONED_VALUES = (MAKES_VALUE | of_kind(InstructionKind.MEMORY) | {"landingpad"}) - SHARED_CLONES.keys()
