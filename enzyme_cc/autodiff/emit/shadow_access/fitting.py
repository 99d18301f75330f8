"""Ends the program where the shadow of a container has less memory than the container: other code made it grow.

The argument of a request leads to the container, and the program has made its shadow. An earlier call of the function
may have given the container more elements, at any depth: `std::vector<std::vector<double>>`. The members of containers
are known by name (rules/containers.py). The runtime compares the blocks of members of arguments themselves, which may
have any type, when a request begins (runtime/replaced_pointers.c).

With `--enzyme-check`, a shadow that leads nowhere, or to the memory of the argument itself, ends the program, too: the
argument has a pointer to numbers there.
"""

from __future__ import annotations

from ....analysis.integers.offsets import constant_place
from ....analysis.type_analysis.analysis import POINTERS_LOOKED_AT
from ....analysis.type_analysis.declared_accesses import DeclaredAccesses
from ....analysis.type_analysis.kinds import FLOATS
from ....ir.folding import int_constant
from ....ir.types import PTR
from ....ir.values import Function, Instruction, Value
from ....rules import runtime_functions as runtime
from ....rules.containers import BEGIN, END, END_OF_BLOCK, is_block
from ...globals.foreign_refusals import place_of
from .whose_shadow import WhoseShadow

_TOO_SMALL = (
    "%s: the shadow of a container is too small: it has less memory than the container, which grew after its shadow "
    "was made [EZ0314]; make the shadow fit before each call: give it as many elements as the argument has"
)


def refuse_small(access: WhoseShadow, load: Instruction, shadow: Value, member: int) -> None:
    """Emits the question behind the load of a container's first or second pointer. `shadow`: what its shadow has."""
    if member == END_OF_BLOCK or not _is_made_outside(access, load):
        return
    if member == BEGIN:
        _refuse(access, load, shadow, END)
    elif any(_writes_there(user, load) for user in load.users):
        _refuse(access, load, shadow, END_OF_BLOCK)


def refuse_unset(access: WhoseShadow, load: Instruction, shadow: Value) -> None:
    """Emits the question whether the shadow of a loaded pointer is null or the pointer itself: nobody has set it."""
    sweep, round = access.sweep, access.round
    if load.type != PTR or not round.options.is_last or sweep.analyses.facts.is_private(load.operands[0]):
        return
    behind = round.types.contents(load, None)
    if behind.leads_to_numbers or (behind.layout and any(s.kind in FLOATS for s in behind.layout.segments)):
        name = round.types.declared.name_of_read(load) or "the pointer that is read here"
        # LLVM takes its line from a load that it moves out of a loop
        placed = next((i for i in (load, *load.users) if round.source.source_location(i)), load)
        what = f"{place_of(round, placed)}: the shadow of {name}"
        own = int_constant(int(access.state(load).may_be_unshadowed))
        runtime.CHECK_POINTER.call(sweep.b, sweep.of(load), shadow, own, round.text(what))


def container_members(function: Function, declared: DeclaredAccesses) -> dict[Instruction, int]:
    """Returns the loads of members of containers, and which members these are.

    LLVM drops the declaration where it makes one of two loads. So any access to the container declares the others.
    """
    places = {i: constant_place(i.operands[-1]) for i in function.instructions() if _moves_pointer(i)}
    found = {i: member for i in places if (member := declared.member(i)) is not None and is_block(member[0])}
    blocks = {(places[i][0], places[i][1] - offset) for i, (_, offset) in found.items()}
    loads = ((i, place) for i, place in places.items() if i.opcode == "load")
    return {i: m for i, (base, at) in loads for m in (BEGIN, END, END_OF_BLOCK) if (base, at - m) in blocks}


def _moves_pointer(i: Instruction) -> bool:
    moved = i if i.opcode == "load" else i.operands[0] if i.opcode == "store" else None
    return moved is not None and moved.type == PTR


def _is_made_outside(access: WhoseShadow, load: Instruction) -> bool:
    """Returns whether the program may have made the shadow of the container, and numbers or pointers lie in it."""
    pointer, round = load.operands[0], access.round
    is_passed = round.options.is_last and round.types.reach.is_passed(pointer)
    if not is_passed or access.sweep.analyses.facts.is_private(pointer) or round.new_blocks.holds(pointer):
        return False
    return round.types.contents(pointer, POINTERS_LOOKED_AT).points_at_numbers


def _writes_there(user: Instruction, pointer: Value) -> bool:
    """Returns whether an element is made at the end: `push_back`, `resize`."""
    if user.opcode == "store":
        return user.operands[1] is pointer
    return user.is_call and user.callee_name.startswith("@llvm.mem") and user.arguments[0] is pointer


def _refuse(access: WhoseShadow, load: Instruction, shadow: Value, end: int) -> None:
    """Emits the refusal if there is more memory from the loaded pointer to the member at `end` than in the shadow."""
    sweep, b = access.sweep, access.sweep.b
    place, shadow_place = sweep.of(load.operands[0]), sweep.shadow_of(load.operands[0])
    member = BEGIN if end == END else END

    def load_of(container: Value, at: int) -> Value:
        return b.load(PTR, b.offset(container, at - member, ()), 8)

    runtime.REFUSE_OUTGROWN.call(
        b,
        sweep.of(load),
        load_of(place, end),
        b.offset(place, END_OF_BLOCK - member, ()),
        shadow,
        load_of(shadow_place, END_OF_BLOCK),
        int_constant(int(end == END)),
        access.round.text(_TOO_SMALL % place_of(access.round, load)),
    )
