"""Two versions of the loops that ask whether memory is its own shadow: one asks, the other is for shadows of their own.

Memory that only the run tells about (analysis/memory/shadow_state.py) is asked about at each access, and mostly has a
shadow. LLVM vectorises no loop that asks, even if the answer is the same in each iteration. So the questions are asked
before the loop. If no memory is its own shadow, a version without questions runs. This is loop unswitching (Allen and
Cocke 1971) on all questions at once: LLVM's own makes two versions for each of them, and only of small loops.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ...ir.builder import Builder
from ...ir.cfg import ControlFlow, Loop
from ...ir.constants import Constant
from ...ir.folding import int_constant
from ...ir.instructions import ACCESSES, INSTRUCTIONS, WRITES_UNSEEN, InstructionKind, of_kind
from ...ir.types import I1
from ...ir.values import Argument, Block, Function, Instruction, Value
from ...rules.library_functions import is_pure
from ..core.alias_scopes import AliasScopes
from ..core.round import Round

#: a loop with more instructions has one version, but loops in it may have two
_MOST = 400
_RARELY = '!{!"branch_weights", i32 1, i32 2000}'
_RUNTIME = ("@llvm.", "@__ez_foreign_")
#: what a copy of a loop must not have
_UNIQUE = of_kind(InstructionKind.EXCEPTION) | WRITES_UNSEEN | {"indirectbr"}


def make_loop_versions(round: Round, function: Function) -> None:
    """Changes a derivative that is finished, but not entered."""
    tests = round.taken_tests(function)
    if not tests:
        return
    chosen: list[tuple[Loop, list[Instruction], _Invariants]] = []
    for loop in ControlFlow(function).loops:
        if loop.parent is None:
            _choose(loop, [t for t in tests if t.block in loop.blocks], round.scopes, chosen)
    for loop, asked, invariants in chosen:
        branch = _make_version(function, loop, asked, invariants)
        branch.metadata = (("!prof", round.output.add_metadata(_RARELY)),)


def _choose(
    loop: Loop,
    tests: list[Instruction],
    scopes: AliasScopes,
    chosen: list[tuple[Loop, list[Instruction], _Invariants]],
) -> None:
    """Chooses the outermost loops in which all answers stay the same that stay the same in loops inside."""
    if not tests:
        return
    if not any(i.opcode in _UNIQUE for block in loop.blocks for i in block.instructions):
        invariants = _Invariants(loop, scopes)
        asked = [t for t in tests if invariants.holds(t)]
        is_small = sum(len(block.instructions) for block in loop.blocks) <= _MOST
        if is_small and asked and (len(asked) == len(tests) or not loop.children) and _pays(loop, asked):
            chosen.append((loop, asked, invariants))
            return
    for child in loop.children:
        _choose(child, [t for t in tests if t.block in child.blocks], scopes, chosen)


def _pays(loop: Loop, asked: list[Instruction]) -> bool:
    """Returns whether an innermost loop that asks does little else."""
    if loop.children:
        return any(_pays(child, asked) for child in loop.children)
    calls = [i for block in loop.blocks for i in block.instructions if i.is_call]
    return any(t.block in loop.blocks for t in asked) and all(map(_is_cheap, calls))


def _is_cheap(call: Instruction) -> bool:
    return call.callee_name.startswith(_RUNTIME) or is_pure(call.callee_name[1:])


class _Invariants:
    """The values of a loop that are the same in each iteration, and can be computed before it."""

    def __init__(self, loop: Loop, scopes: AliasScopes) -> None:
        self._loop = loop
        self._is_tape = scopes.is_of_tape
        self._found: dict[Value, bool] = {}
        self._fills_tape = any(i.opcode == "store" and self._is_tape(i) for b in loop.blocks for i in b.instructions)

    def holds(self, value: Value) -> bool:
        if value not in self._found:
            self._found[value] = self._is_outside(value) or (isinstance(value, Instruction) and self._is_moved(value))
        return self._found[value]

    def _is_outside(self, value: Value) -> bool:
        return isinstance(value, (Argument, Constant)) or (
            isinstance(value, Instruction) and value.block not in self._loop.blocks
        )

    def _is_moved(self, i: Instruction) -> bool:
        if INSTRUCTIONS[i.opcode].pure:
            return all(map(self.holds, i.operands))
        return i.opcode == "load" and not i.flags and self.holds(i.operands[0]) and self._is_unchanged(i)

    def _is_unchanged(self, load: Instruction) -> bool:
        """Returns whether nothing in the loop writes what is loaded, and it can be loaded before the loop."""
        base = load.operands[0]
        while isinstance(base, Instruction) and base.opcode == "getelementptr":
            base = base.operands[0]
        if self._is_tape(load):
            return not self._fills_tape and (isinstance(base, Argument) or load.block is self._loop.header)
        if not (isinstance(base, Instruction) and base.opcode == "alloca" and base is load.operands[0]):
            return False
        return all(
            user.opcode in ACCESSES and user.accessed_pointer is base and self._only_reads(user) for user in base.users
        )

    def _only_reads(self, user: Instruction) -> bool:
        stores_pointer = user.opcode == "store" and user.operands[0] is user.operands[1]
        return not stores_pointer and (user.opcode == "load" or user.block not in self._loop.blocks)

    def before(self, b: Builder, value: Value, made: dict[Value, Value]) -> Value:
        """Emits a value of the loop before it."""
        if self._is_outside(value):
            return value
        if value not in made:
            assert isinstance(value, Instruction)
            operands = [self.before(b, operand, made) for operand in value.operands]
            made[value] = b.insert(_copy(value, operands))
        return made[value]


def _copy(i: Instruction, operands: Iterable[Value]) -> Instruction:
    return Instruction(i.opcode, i.type, operands, i.extra, i.flags, i.name, i.metadata)


def _make_version(function: Function, loop: Loop, asked: list[Instruction], invariants: _Invariants) -> Instruction:
    """Returns the branch to the version that asks, or to the other one."""
    blocks = loop.blocks_in_order
    _demote(function, loop, blocks)
    check = _block_before(function, loop)
    copies = _copy_blocks(function, blocks, asked)
    b, made = Builder(check), dict[Value, Value]()
    any_same: Value = int_constant(0, I1)
    for shadow, pointer in dict.fromkeys((t.operands[0], t.operands[1]) for t in asked):
        same = b.icmp("eq", invariants.before(b, shadow, made), invariants.before(b, pointer, made))
        any_same = b.int_op("or", any_same, same)
    return b.cond_br(any_same, loop.header, copies[loop.header])


def _demote(function: Function, loop: Loop, blocks: list[Block]) -> None:
    """Passes the values of the loop that are used behind it through memory, so that each version gives its own."""
    entry = Builder.first(function.entry)
    for block in blocks:
        for i in list(block.instructions):
            outside = [user for user in i.users if user.block not in loop.blocks]
            if not outside:
                continue
            slot = entry.alloca(i.type)
            Builder.after(i).store(i, slot)
            for user in outside:
                _load_for(user, i, slot)


def _load_for(user: Instruction, value: Instruction, slot: Value) -> None:
    if user.opcode != "phi":
        user.replace_operand(value, Builder.before(user).load(value.type, slot))
        return
    for k, (operand, source) in enumerate(user.incoming):
        if operand is value:
            user.set_operand(2 * k, Builder.before(source.terminator).load(value.type, slot))


def _block_before(function: Function, loop: Loop) -> Block:
    """Returns a new block that all ways into the loop lead through. It has no terminator."""
    header, entering = loop.header, loop.entering
    check = function.add_block(before=header)
    for phi in header.phis:
        outside = [(v, p) for v, p in phi.incoming if p in entering]
        inside = [(v, p) for v, p in phi.incoming if p not in entering]
        value = Builder(check).phi(phi.type, outside)
        phi.drop_operands()
        for v, p in [(value, check), *inside]:
            phi.append_operand(v)
            phi.append_operand(p)
    for block in entering:
        block.terminator.replace_operand(header, check)
    return check


def _copy_blocks(function: Function, blocks: list[Block], asked: Collection[Instruction]) -> dict[Value, Block]:
    """Copies the blocks of a loop. Returns the copy of each. In the copies, no memory is its own shadow."""
    of_blocks: dict[Value, Block] = {block: function.add_block() for block in blocks}
    values: dict[Value, Value] = {**of_blocks, **dict.fromkeys(asked, int_constant(0, I1))}
    copies: list[Instruction] = []
    for block in blocks:
        for i in block.instructions:
            if i in values:
                continue
            copy = values[i] = _copy(i, i.operands)
            of_blocks[block].append(copy)
            copies.append(copy)
            if i in function.positions:
                function.positions[copy] = function.positions[i]
    for copy in copies:
        for k, operand in enumerate(copy.operands):
            if operand in values:
                copy.set_operand(k, values[operand])
    for block in blocks:
        for outside in block.successors:
            for phi in outside.phis if outside not in of_blocks else ():
                for value in [value for value, source in phi.incoming if source is block]:
                    phi.append_operand(values.get(value, value))
                    phi.append_operand(of_blocks[block])
    return of_blocks
