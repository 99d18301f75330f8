"""Copies a function and all functions that it calls, and rewrites the copies instruction by instruction."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar

from msgspec.structs import replace

from ...analysis.callees import Callee, Callees, DeclaredFunctions, plain_name
from ...ir.attributes import group_words, without, words
from ...ir.builder import Builder
from ...ir.module import Module
from ...ir.text.printer import body_for_copy
from ...ir.types import (
    FloatType,
    FunctionType,
    Type,
    VectorType,
    element_count,
    indexed_type,
    is_aggregate,
    is_float,
    is_pointer,
)
from ...ir.values import Argument, Function, Instruction, Value
from ...report.diagnostics import EnzymeError
from ...rules.knowledge import CalleeKind
from ..core.registrations import read_registrations

#: attributes of functions and calls that need not hold for a copy, which may do more than the original
_UNTRUE = ("memory(", "speculatable", "nofree", "nosync", "norecurse", "allocsize", "alwaysinline", "optnone")
#: attributes of arguments and results that need not hold for another number
_OF_VALUES = ("returned", "nofpclass", "inreg")
_CONVENTION = re.compile(r"\b(?:fastcc|coldcc|preserve_\w+cc|cc \d+)\b")
_PERSONALITY = re.compile(r"personality \w+ @\S+")
#: kinds of callees that compute no numbers
_COMPUTE_NOTHING = frozenset(
    [CalleeKind.INACTIVE, CalleeKind.ALLOCATE, CalleeKind.FREE, CalleeKind.REALLOCATE, CalleeKind.COPY, CalleeKind.FILL,
     CalleeKind.STACK]
)  # fmt: skip


class Copies(ABC):
    """The copies for one kind of variant in a module, each with further parameters of the types `extra`.

    `suffix` ends the names of copies. `opaque`: calls of functions with registered derivatives, and of those
    registered as inactive, stay as they are. Otherwise they are copied, and the copies of inactive ones are inactive.
    """

    suffix: str
    opaque: ClassVar[bool] = False
    extra: tuple[tuple[Type, str, str], ...] = ()  # type, name and attributes of each further parameter

    def __init__(self, module: Module) -> None:
        self.module = module
        registered = read_registrations(module)
        declared = DeclaredFunctions(like=registered.like, known=registered.known)
        if self.opaque:
            declared = replace(declared, inactive=registered.inactive, custom=registered.custom)
        self.callees = Callees(module, declared)
        self._inactive = registered.inactive
        self._copies: dict[str, Function] = {}
        self._open: list[str] = []

    def copy(self, name: str) -> Function:
        """Returns the rewritten copy of a function that has a body. Raises EnzymeError."""
        copy = self._copy(name)
        while self._open:
            original = self._open.pop()
            self.rewrite(self.module.body(self._copies[original].name))
        return copy

    def _copy(self, name: str) -> Function:
        if name not in self._copies:
            original = self.module.functions[name]
            self._copies[name] = self._copied(original)
            self._open.append(name)
        return self._copies[name]

    def _copied(self, original: Function) -> Function:
        arguments = [Argument(a.type, a.name, without(a.attributes, _OF_VALUES), a.index) for a in original.arguments]
        convention = _CONVENTION.search(original.prefix)
        copy = Function(
            self.module.fresh_name(plain_name(original.name) + self.suffix),
            original.type,
            arguments,
            " ".join(["internal", *([convention[0]] if convention else [])]),
            self.attributes_of_copy(original),
        )
        copy.unparsed = body_for_copy(original)
        copy = self.module.body(self.module.add_function(copy).name)
        if original.name in self._inactive:
            entry = self.module.fresh_name(f"__enzyme_inactivefn_{plain_name(copy.name)}")
            self.module.add_global(f"{entry} = constant [1 x ptr] [ptr {copy.name}]")
        first = len(arguments)
        copy.arguments += [
            Argument(t, name, attributes, first + k) for k, (t, name, attributes) in enumerate(self.extra)
        ]
        copy.type = self._type(original.type)
        return copy

    def attributes_of_copy(self, original: Function) -> str:
        """Returns what stands behind a function's parameters, without what need not hold for a copy."""
        personality = _PERSONALITY.search(original.suffix)
        kept = [word for word in group_words(self.module, original.suffix) if not word.startswith(_UNTRUE)]
        attributes = self.module.add_attributes(" ".join(kept)) if kept else ""
        return " ".join([attributes, *([personality[0]] if personality else [])])

    def attributes_of_call(self, i: Instruction) -> str:
        """Returns the attributes of a call that hold for a call of the copy, too."""
        return "nounwind" if "nounwind" in words(self.module, i.call.attributes) else ""

    def _type(self, type_: FunctionType) -> FunctionType:
        return FunctionType(type_.result, (*type_.params, *(t for t, _, _ in self.extra)), type_.vararg)

    def rewrite(self, copy: Function) -> None:
        """Rewrites each instruction of a function."""
        own = len(copy.arguments) - len(self.extra)
        more = copy.arguments[own:]
        before = list(copy.instructions())
        self.begin(copy.arguments[:own], before[0])
        for i in before:
            if i.is_call:
                self._call(i, self.callees.of(i), more)
            else:
                self.instruction(i, more)

    def _call(self, i: Instruction, callee: Callee, more: Sequence[Argument]) -> None:
        if callee.kind is CalleeKind.DEFINED and not i.call.function_type.vararg:
            self.defined(i, callee, more)
        elif callee.kind is CalleeKind.RULE:
            self.math(i, callee, more)
        elif callee.kind in _COMPUTE_NOTHING:
            self.inactive(i, callee)
        elif callee.kind is CalleeKind.INDIRECT or _may_compute(i):
            self.unknown(i, callee, more)

    def redirect(self, i: Instruction, name: str, more: Sequence[Value]) -> Instruction:
        """Replaces a call by one of the callee's copy."""
        copy, old = self._copy(name), i.call
        named = len(old.function_type.params)
        given = (*(without(a, _OF_VALUES) for a in old.argument_attributes), *("" for _ in more))
        operands = [*i.operands[:named], *more, *i.operands[named:-1], copy.ref]
        info = replace(
            old,
            function_type=self._type(old.function_type),
            argument_attributes=given,
            result_attributes=without(old.result_attributes, _OF_VALUES),
            attributes=self.attributes_of_call(i),
            tail="",
        )
        new = Instruction(i.opcode, i.type, operands, info, i.flags, "", i.metadata)
        assert i.block is not None
        i.block.insert(i.block.instructions.index(i), new)
        i.replace_uses(new)
        i.erase()
        return new

    # -- what the variants do

    def begin(self, arguments: Sequence[Argument], first: Instruction) -> None:
        """Begins a copy with the arguments of the original. `first` is the first instruction."""
        return

    def defined(self, i: Instruction, callee: Callee, more: Sequence[Argument]) -> None:
        """Rewrites the call of a function with a body."""
        self.redirect(i, callee.name, more)

    def inactive(self, i: Instruction, callee: Callee) -> None:
        """Sees the call of a function that computes no numbers."""
        return

    @abstractmethod
    def instruction(self, i: Instruction, more: Sequence[Argument]) -> None:
        """Rewrites an instruction that is no call. `more` are the further arguments of the copy."""

    @abstractmethod
    def math(self, i: Instruction, callee: Callee, more: Sequence[Argument]) -> None:
        """Rewrites the call of a function with a row in the rules table."""

    @abstractmethod
    def unknown(self, i: Instruction, callee: Callee, more: Sequence[Argument]) -> None:
        """Rewrites or refuses a call of code that is not known and may compute numbers."""

    def original_name(self, function: Function) -> str:
        """Returns the name in the program of the function that a rewritten one was made of, for a message."""
        return plain_name(function.name).rpartition(self.suffix)[0]

    def refusal(self, i: Instruction, message: str, reason: str, remedy: str = "") -> EnzymeError:
        """Returns the error for an instruction of a copy."""
        assert i.block is not None and i.block.function is not None
        function = self.original_name(i.block.function)
        location = self.module.source_location(i)
        return EnzymeError.of("EZ0215", message, reason=reason, remedy=remedy, function=function, location=location)


def what_is_called(callee: Callee) -> str:
    """Returns the callee, for a message."""
    if callee.kind is CalleeKind.INDIRECT:
        return "what a function pointer points to"
    return "inline assembly" if callee.kind is CalleeKind.ASM else plain_name(callee.name)


def _may_compute(i: Instruction) -> bool:
    """True if a call takes or returns numbers, or pointers, behind which there may be numbers."""
    return any(_holds_floats(v.type) or is_pointer(v.type) for v in [i, *i.arguments])


Change = Callable[[Builder, Value], Value]


def for_each_number(b: Builder, value: Value, change: Change) -> Value:
    """Returns the value with each number in it changed: itself, the lanes of a vector, the fields of a struct."""
    type_ = value.type
    if isinstance(type_, FloatType):
        return change(b, value)
    out = value
    if isinstance(type_, VectorType) and is_float(type_):
        for k in range(type_.count):
            out = b.with_lane(out, change(b, b.lane(value, k)), k)
    elif is_aggregate(type_):
        for k in range(element_count(type_)):
            if _holds_floats(indexed_type(type_, (k,))):
                out = b.insert_value(out, for_each_number(b, b.extract_value(value, k), change), k)
    return out


def _holds_floats(type_: Type) -> bool:
    if is_aggregate(type_):
        return any(_holds_floats(indexed_type(type_, (k,))) for k in range(element_count(type_)))
    return is_float(type_)


def split_product(i: Instruction, callee: Callee) -> tuple[Instruction, ...]:
    """Replaces a call of llvm.fmuladd, which the processor may compute in one step or in two, by two instructions.

    Returns them; nothing for other calls.
    """
    if callee.rule is None or callee.rule.name != "fmuladd":
        return ()
    b, (x, y, z) = Builder.before(i), i.arguments
    product = b.emit("fmul", i.type, [x, y], flags=i.flags)
    total = b.emit("fadd", i.type, [product, z], flags=i.flags)
    i.replace_uses(total)
    i.erase()
    return product, total


def change_uses(i: Instruction, make: Callable[[Builder], Value]) -> Value:
    """Lets the users of an instruction use what `make` emits behind it, and returns that."""
    users = list(i.users)
    new = make(Builder.after(i))
    for user in users:
        user.replace_operand(i, new)
    return new
