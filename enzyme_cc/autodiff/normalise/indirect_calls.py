"""Replaces calls through function pointers by calls of dispatchers.

A dispatcher calls the candidate whose address the pointer holds, by its name:

- With few candidates, it compares the pointer with each.
- With more, the runtime looks up the pointer in a table that numbers functions (toolchain/runtime/functions.c).

analysis/pointed_functions.py has the candidates: functions of the call's type whose address is taken. The form of the
call may exclude some.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TypeGuard

from ...analysis.callees import strip_casts
from ...analysis.pointed_functions import PointedFunctions, Target
from ...analysis.type_analysis.constraints.addresses import address_offset
from ...analysis.type_analysis.declared.stored_functions import StoredFunctions
from ...ir.builder import Builder
from ...ir.constants import GlobalRef, InlineAsm
from ...ir.folding import int_constant
from ...ir.module import Module
from ...ir.types import I1, I8, PTR, VOID, FunctionType, Type
from ...ir.values import Argument, Block, CallInfo, Function, Instruction, Value
from ...rules.library_functions import CLOSURES, DISPATCH, THROUGH_POINTER
from ...rules.runtime_functions import FUNCTION_NUMBER, FUNCTIONS_TABLE
from ..core.pointers import POINTER_BYTES
from ..core.provenance import call_site
from .closures import call_closures, internal_procedures, type_through_pointer

#: with more candidates than this, the pointer is looked up in a table
_FEW = 8
_TABLE_ENTRY = re.compile(r'ptr (@(?:[-\w$.]+|"[^"]*"))')


class Dispatchers:
    """The dispatchers of a module made so far.

    Functions that `is_unknown` accepts are no candidates: if the program calls one, it ends with the function's name.
    Nor are those that only trampolines lead to. The numbers of functions in the table of an earlier round are kept: its
    dispatchers use them.
    """

    def __init__(self, text: str, module: Module, is_unknown: Callable[[str], bool] = lambda name: False) -> None:
        self._module = module
        self._is_unknown = is_unknown
        self.pointed = PointedFunctions.read(text, module)
        self.stored = StoredFunctions(text, module)
        #: the places of the calls that each dispatcher makes, for messages
        self.call_sites: dict[str, list[str]] = {}
        self._dispatchers: dict[Target, Function] = {}
        self._before_dispatchers: dict[Target, Function] = {}
        self._closures = [module.functions[name] for name in internal_procedures(text, module)]
        self._numbers = {name: k for k, name in enumerate(_TABLE_ENTRY.findall(_table(text)))}
        self._numbers_before = len(self._numbers)

    @cached_property
    def _excluded(self) -> set[str]:
        return {f.name for f in self._closures}.union(filter(self._is_unknown, self.pointed.types))

    def dispatcher(self, target: Target) -> Function:
        """Returns the function (pointer, arguments…) that calls the candidate at the pointer."""
        if target not in self._dispatchers:
            excluded = self._excluded.union(target.unequal)
            others = (name for name in target.others if name not in excluded)
            fitting = [*self.pointed.candidates(target, excluded), *others]
            self._dispatchers[target] = self._make(target.type, fitting)
            self._with_closures(target)
        return self._before_dispatchers.get(target) or self._dispatchers[target]

    def made_for(self, target: Target) -> list[Function]:
        """Returns the functions that call for this target."""
        return [of[target] for of in (self._dispatchers, self._before_dispatchers) if target in of]

    def made(self) -> list[Function]:
        return [*self._dispatchers.values(), *self._before_dispatchers.values()]

    def _with_closures(self, target: Target) -> None:
        """Makes a function that calls closures itself, if the pointer may lead to any."""
        fitting = [f for f in self._closures if type_through_pointer(f) == target.type]
        if fitting:
            dispatcher = self._dispatchers[target]
            arguments = [Argument(t, "", "", k) for k, t in enumerate(dispatcher.type.params)]
            function = Function(self._module.fresh_name(CLOSURES), dispatcher.type, arguments, "internal")
            call_closures(function, fitting, dispatcher)
            self._before_dispatchers[target] = self._module.add_function(function)

    def table(self) -> str | None:
        """Returns the definition of the table of functions. None if no dispatcher has added to it."""
        if len(self._numbers) == self._numbers_before:
            return None
        rows = ", ".join(f"ptr {name}" for name in self._numbers)
        return f"@{FUNCTIONS_TABLE} = constant [{len(self._numbers) + 1} x ptr] [{rows}, ptr null]"

    def _make(self, type_: FunctionType, candidates: list[str]) -> Function:
        full = FunctionType(type_.result, (PTR, *type_.params))
        arguments = [Argument(t, "", "", k) for k, t in enumerate(full.params)]
        function = Function(self._module.fresh_name(DISPATCH), full, arguments, "internal")
        plain = ("",) * len(type_.params)
        pointer, *rest = arguments
        choose = compare if len(candidates) <= _FEW else self._look_up
        for name, block in choose(function, pointer, candidates):
            callee = pointer if name is None else GlobalRef.of(name)
            own = type_ if name is None else self._module.functions[name].type
            result = pass_on(block, callee, own, rest[: len(own.params)], plain[: len(own.params)])
            Builder(block).ret(_as_used(Builder(block), result, type_.result))
        return self._module.add_function(function)

    def _look_up(self, function: Function, pointer: Value, names: Iterable[str]) -> Iterator[tuple[str | None, Block]]:
        """Yields as `compare`, but the function looks up the pointer's number in the table."""
        block, default = function.add_block(), function.add_block()
        hits = [(name, function.add_block()) for name in names]
        b = Builder(block)
        cases = [(self._numbers.setdefault(name, len(self._numbers)), hit) for name, hit in hits]
        b.switch(FUNCTION_NUMBER.call(b, pointer), default, cases)
        yield from hits
        yield None, default


def _table(text: str) -> str:
    """Returns the table of functions from an earlier round, or nothing."""
    start = text.find(f"\n@{FUNCTIONS_TABLE} = ") + 1
    return text[start : text.find("\n", start)] if start else ""


def compare(function: Function, pointer: Value, names: Iterable[str]) -> Iterator[tuple[str | None, Block]]:
    """Emits comparisons into a function without blocks. Yields each name with the block for that function.

    The last pair is None and the block for other pointers.
    """
    block = function.add_block()
    for name in names:
        b = Builder(block)
        hit, block = function.add_block(), function.add_block()
        b.cond_br(b.icmp("eq", pointer, GlobalRef.of(name)), hit, block)
        yield name, hit
    yield None, block


def pass_on(
    block: Block, callee: Value, type_: FunctionType, arguments: Sequence[Value], attributes: tuple[str, ...]
) -> Value | None:
    """Emits a call with the arguments of the function itself. Returns the result, if there is one."""
    info = CallInfo(type_, attributes)
    call = block.append(Instruction("call", type_.result, [*arguments, callee], info))
    return None if type_.result == VOID else call


def _as_used(b: Builder, result: Value | None, used: Type) -> Value | None:
    """Returns what of a function's result a call of another type uses. A bool takes a whole byte."""
    if used == VOID or result is None:
        return None
    byte = b.cast("trunc", result, I8) if used == I1 and result.type not in (I1, I8) else result
    if result.type == used:
        return result
    return b.icmp("ne", byte, int_constant(0, I8)) if used == I1 else b.cast("trunc", result, used)


def is_dispatcher(function: Function) -> bool:
    return function.name.startswith((f"@{DISPATCH}", f"@{CLOSURES}"))


def dispatch_calls(source: Module, targets: Dispatchers, function: Function) -> None:
    """Replaces the function's calls through pointers by calls of dispatchers."""
    if is_dispatcher(function):
        return
    for i in list(function.instructions()):
        if i.opcode == "call" and not _is_known(source, i) and not i.call.function_type.vararg:
            _dispatch(targets, i, _places(source, function, i))


def _is_known(source: Module, call: Instruction) -> bool:
    return isinstance(strip_casts(call.callee, source), GlobalRef | InlineAsm)


def _places(source: Module, function: Function, i: Instruction) -> list[str]:
    """Returns where a call is made, for messages: if it is that of a helper, where the helper is called."""
    if not function.name.startswith(f"@{THROUGH_POINTER}"):
        return [call_site(source, function, i)]
    calls = ((f, c) for f in source.functions.values() for c in f.instructions() if c.opcode == "call")
    return [call_site(source, f, c) for f, c in calls if function.ref in c.operands]


def _dispatch(targets: Dispatchers, i: Instruction, places: list[str]) -> None:
    type_ = i.call.function_type
    others, unequal = targets.stored.of_other_type(i.callee, type_), tuple(dict.fromkeys(_unequal(i)))
    target = Target(type_, _is_from_integer(i.callee), _slot(i), others, unequal)
    dispatcher = targets.dispatcher(target)
    for made in targets.made_for(target):
        targets.call_sites.setdefault(made.name, []).extend(places)
    call_instead(i, dispatcher, ("",) * len(dispatcher.arguments))


def call_instead(i: Instruction, dispatcher: Function, attributes: tuple[str, ...]) -> None:
    """Replaces a call through a pointer by a call of the dispatcher."""
    arguments = [i.callee, *i.arguments]
    info = CallInfo(dispatcher.type, attributes)
    new = Instruction("call", i.type, [*arguments, dispatcher.ref], info, i.flags, metadata=i.metadata)
    i.replace_uses(Builder.before(i).insert(new))
    i.erase()


def _is_from_integer(pointer: Value) -> bool:
    if not isinstance(pointer, Instruction) or pointer.opcode != "inttoptr":
        return False
    source = pointer.operands[0]
    return isinstance(source, Instruction) and source.opcode == "load"


def _unequal(call: Instruction) -> Iterator[str]:
    """Yields the functions that the called pointer was compared with on the only way to the call, and does not hold."""
    block = call.block
    seen = set[Block]()
    while block is not None and block not in seen and len(before := set(block.predecessors)) == 1:
        seen.add(block)
        (earlier,) = before
        end = earlier.terminator
        if end.opcode == "br" and len(end.operands) > 1:
            yield from _ruled_out(call.callee, end, block)
        block = earlier


def _ruled_out(pointer: Value, branch: Instruction, taken: Block) -> Iterator[str]:
    """Yields the function whose address the pointer does not hold if a conditional branch goes to the block."""
    condition, if_true, if_false = branch.operands
    if not isinstance(condition, Instruction) or condition.opcode != "icmp" or if_true is if_false:
        return
    goes_on = {"eq": if_false, "ne": if_true}.get(condition.predicate)
    if goes_on is taken and pointer in condition.operands:
        yield from (o.name for o in condition.operands if isinstance(o, GlobalRef))


def _slot(call: Instruction) -> int | None:
    """Returns the vtable slot if the call looks virtual: it passes the object whose vtable holds the target."""
    load = call.callee
    if not _is_load(load):
        return None
    place, offset = load.operands[0], 0
    if isinstance(place, Instruction) and place.opcode == "getelementptr":
        offset, stride = address_offset(place.source_type, place.operands[1:])
        if stride or offset % POINTER_BYTES or offset < 0:
            return None
        place = place.operands[0]
    if not _is_load(place) or place.operands[0] not in call.arguments:
        return None
    return offset // POINTER_BYTES


def _is_load(value: Value) -> TypeGuard[Instruction]:
    return isinstance(value, Instruction) and value.opcode == "load"
