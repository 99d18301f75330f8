"""Answers requests for truncated functions: copies that compute in a narrower floating-point format.

The numbers of the copies keep their type, so that memory and calls stay as they are. In op mode, each operation rounds
its operands to the format, computes, and rounds its result. In mem mode, numbers that the copy loads, stores, takes and
returns are rounded, too: it computes as if all its variables had the format.

If the format is a type of the processor, an operation converts its operands, computes in that type, and converts the
result. Otherwise the runtime computes the operation and rounds its exact result (toolchain/runtime/formats.c).

With --enzyme-truncate, all functions of the module are rewritten in place, in op mode (`truncate_all`).
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ...analysis.callees import Callee, plain_name
from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.instructions import BASIC_FLOAT_ARITHMETIC, FLOAT_ARITHMETIC, FLOAT_TO_INTEGER, INTEGER_TO_FLOAT
from ...ir.module import Module, global_name
from ...ir.types import (
    DOUBLE,
    FloatType,
    FunctionType,
    Type,
    VectorType,
    is_aggregate,
    is_float,
    scalar,
    with_same_shape,
)
from ...ir.values import Argument, CallInfo, Function, Instruction, Value
from ...report.diagnostics import EnzymeError
from ...rules.runtime_functions import IN_FORMAT, NOTE_ERROR, RuntimeFunction
from ...rules.table import lookup
from ..core.markers import VariantKind
from ..core.options import Options
from .formats import Truncation, named_truncation, read_truncation
from .reading import FoundVariant, VariantOperands, ready_variants, value_variants
from .rewritten_copies import Copies, change_uses, for_each_number, split_product, what_is_called
from .source_lines import SourceLines

_FUNCTIONS = frozenset([VariantKind.TRUNCATE_MEM_FUNC, VariantKind.TRUNCATE_OP_FUNC])
_VALUES = frozenset([VariantKind.TRUNCATE_MEM_VALUE, VariantKind.EXPAND_MEM_VALUE])
#: LLVM's names of types in the names of intrinsics
_MANGLED = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64", "x86_fp80": "f80"}
#: suffixes of functions of the mathematical library
_SUFFIXES = {"float": "f", "double": "", "x86_fp80": "l"}


def truncate(module: Module, options: Options) -> str:
    """Answers the requests that wait for no other one. Adds no text. Raises EnzymeError."""
    for found in value_variants(module, _VALUES):
        _answer_value(module, found)
    copies: dict[tuple[Truncation, bool], TruncatedCopies] = {}
    lines = SourceLines(module) if options.precision_report else None
    for found in ready_variants(module, _FUNCTIONS):
        truncation = read_truncation(VariantOperands(module, found))
        key = truncation, found.kind is VariantKind.TRUNCATE_MEM_FUNC
        if key not in copies:
            copies[key] = TruncatedCopies(module, *key, lines)
        found.replace_by_value(copies[key].copy(found.function).ref)
    return ""


def truncate_all(text: str, options: Options) -> str:
    """Returns the module in which all functions compute in the format of the options. Raises EnzymeError."""
    module = Module.parse(text)
    lines = SourceLines(module) if options.precision_report else None
    TruncatedInPlace(module, named_truncation(options.truncation), in_memory=False, lines=lines).rewrite_all()
    return str(module)


def _answer_value(module: Module, found: FoundVariant) -> None:
    operands = VariantOperands(module, found)
    truncation = read_truncation(operands)
    b, type_ = Builder.before(found.call), found.call.type
    value = operands.first
    if not isinstance(value.type, FloatType) or not isinstance(type_, FloatType):
        reason = f"it is given {value.type}, and declared to return {type_}"
        raise found.error(module, "EZ0203", f"{found.kind.value} takes a number and returns it", reason)
    value = b.resize_float(value, truncation.source)
    if found.kind is VariantKind.TRUNCATE_MEM_VALUE:
        value = truncation.round(module, b, value)
    found.replace_by_value(b.resize_float(value, type_))


class TruncatedCopies(Copies):
    """Copies that compute in a format, in mem mode (`in_memory`) or in op mode. With `lines`, they note errors."""

    def __init__(self, module: Module, truncation: Truncation, in_memory: bool, lines: SourceLines | None) -> None:
        super().__init__(module)
        self.truncation = truncation
        self.in_memory = in_memory
        self.lines = lines
        self.suffix = f".truncated_{'mem' if in_memory else 'op'}_{truncation.name}"
        self._rounded: set[Value] = set()

    def _is_source(self, type_: Type) -> bool:
        return is_float(type_) and scalar(type_) == self.truncation.source

    # -- one instruction

    def begin(self, arguments: Sequence[Argument], first: Instruction) -> None:
        for argument in arguments if self.in_memory else ():
            if self._is_source(argument.type) and argument.users:
                users = list(argument.users)
                new = self._round(Builder.before(first), argument)
                for user in users:
                    user.replace_operand(argument, new)

    def instruction(self, i: Instruction, more: Sequence[Argument]) -> None:
        opcode = i.opcode
        if opcode in FLOAT_ARITHMETIC and self._is_source(i.type):
            self._replace(i, self._arithmetic(Builder.before(i), i))
        elif opcode == "fcmp" or opcode in FLOAT_TO_INTEGER or opcode == "fptrunc":
            self._round_operands(i)
        elif opcode in INTEGER_TO_FLOAT and self._is_source(i.type):
            self._replace(i, self._from_integer(Builder.before(i), i))
        elif opcode == "fpext" and self._is_source(i.type):
            self._round_result(i)
        elif opcode == "atomicrmw" and self._is_source(i.type):
            raise self._refusal(i, "an atomic operation on numbers")
        elif self.in_memory and opcode == "load" and _may_hold(i.type):
            self._round_result(i)
        elif self.in_memory and self._lets_out(i):
            i.set_operand(0, self._round(Builder.before(i), i.operands[0]))

    def _lets_out(self, i: Instruction) -> bool:
        """Returns whether a number goes to memory or to the caller."""
        is_way_out = i.opcode == "store" or i.opcode == "ret"
        return is_way_out and bool(i.operands) and self._is_source(i.operands[0].type)

    def math(self, i: Instruction, callee: Callee, more: Sequence[Argument]) -> None:
        if i.opcode == "call" and (native := self._native_call(i, callee)) is not None:
            self._replace(i, native)
            return
        if parts := split_product(i, callee):
            for part in parts:
                self.instruction(part, more)
            return
        self._round_operands(i)
        function = IN_FORMAT.get(callee.rule.name if callee.rule is not None else "")
        if function is not None and self.truncation.native_type is None and self._is_source(i.type):
            self._replace(i, self._computed(Builder.before(i), function, i.arguments))
            return
        if i.opcode == "call":
            self._round_result(i)
            self._round_outputs(i, callee)

    def unknown(self, i: Instruction, callee: Callee, more: Sequence[Argument]) -> None:
        raise self._refusal(i, what_is_called(callee))

    def _refusal(self, i: Instruction, what: str) -> EnzymeError:
        reason = "what it computes is not known when the program is linked"
        return self.refusal(i, f"{what} cannot be computed in another format", reason)

    # -- rounding

    def _round(self, b: Builder, value: Value) -> Value:
        """Emits the value with each number of the source type rounded to the format."""
        if value in self._rounded:
            return value
        new = for_each_number(b, value, self._round_number)
        self._rounded.add(new)
        return new

    def _round_number(self, b: Builder, number: Value) -> Value:
        if number.type != self.truncation.source:
            return number
        return self.truncation.round(self.module, b, number)

    def _round_operands(self, i: Instruction) -> None:
        b = Builder.before(i)
        for k, operand in enumerate(i.operands):
            if self._is_source(operand.type):
                i.set_operand(k, self._round(b, operand))

    def _round_result(self, i: Instruction) -> None:
        if i.users and _may_hold(i.type):
            new = change_uses(i, lambda b: self._round(b, i))
            if self.lines is not None and i.is_call and isinstance(new, Instruction) and self._is_source(i.type):
                self._note(new, new, i)

    def _round_outputs(self, i: Instruction, callee: Callee) -> None:
        assert callee.rule is not None
        for k in callee.rule.outputs:
            b, type_ = Builder.after(i), i.arguments[0].type
            b.store(self._round(b, b.load(type_, i.arguments[k])), i.arguments[k])

    def _replace(self, i: Instruction, new: Value) -> None:
        i.replace_uses(new)
        self._rounded.add(new)
        if self.lines is not None and isinstance(new.type, FloatType):
            self._note(i, new, i)
        else:
            i.erase()

    def _note(self, behind: Instruction, new: Value, i: Instruction) -> None:
        """Compares the value with the result of the original operation."""
        if not isinstance(new.type, FloatType):
            return
        assert self.lines is not None and i.block is not None and i.block.function is not None
        function = self.original_name(i.block.function)
        NOTE_ERROR.declare(self.module)
        b = Builder.after(behind)
        got, wanted = (b.resize_float(value, DOUBLE) for value in (new, i))
        NOTE_ERROR.call(b, self.lines.record(i, function), got, wanted)

    # -- arithmetic

    def _to_native(self, b: Builder, value: Value) -> Value:
        native = self.truncation.native_type
        assert native is not None
        return b.resize_float(value, with_same_shape(native, value.type)) if self._is_source(value.type) else value

    def _from_native(self, b: Builder, value: Value) -> Value:
        return b.resize_float(value, with_same_shape(self.truncation.source, value.type))

    def _arithmetic(self, b: Builder, i: Instruction) -> Value:
        if self.truncation.native_type is not None:
            operands = [self._to_native(b, operand) for operand in i.operands]
            new = b.emit(i.opcode, operands[0].type, operands, i.extra, i.flags)
            return self._from_native(b, new)
        operands = [self._round(b, operand) for operand in i.operands]
        if i.opcode not in BASIC_FLOAT_ARITHMETIC:  # fneg and frem are exact
            return b.emit(i.opcode, i.type, operands, i.extra, i.flags)
        if i.opcode == "fsub":
            operands[1] = b.emit("fneg", i.type, [operands[1]])
        return self._computed(b, IN_FORMAT["fadd" if i.opcode == "fsub" else i.opcode], operands)

    def _computed(self, b: Builder, function: RuntimeFunction, operands: Sequence[Value]) -> Value:
        """Emits a call of the runtime's function for each lane."""
        type_, source = operands[0].type, self.truncation.source
        if isinstance(type_, VectorType):
            lanes = range(type_.count)
            return b.vector(type_, [self._computed(b, function, [b.lane(o, k) for o in operands]) for k in lanes])
        doubles = [b.resize_float(operand, DOUBLE) for operand in operands]
        return b.resize_float(self.truncation.call(self.module, b, function, doubles), source)

    def _from_integer(self, b: Builder, i: Instruction) -> Value:
        native = self.truncation.native_type
        if native is None:
            return self._round(b, b.emit(i.opcode, i.type, i.operands, i.extra, i.flags))
        return self._from_native(b, b.emit(i.opcode, with_same_shape(native, i.type), i.operands, i.extra, i.flags))

    def _native_call(self, i: Instruction, callee: Callee) -> Value | None:
        """Emits a call of the same function for the format's type; None if there is none."""
        name = self._native_name(callee)
        if name is None or is_aggregate(i.type) or i.call.bundles:
            return None
        b = Builder.before(i)
        arguments = [self._to_native(b, argument) for argument in i.arguments]
        is_source = self._is_source(i.type)
        result = self._to_native_type(i.type) if is_source else i.type
        type_ = FunctionType(result, tuple(argument.type for argument in arguments))
        self.module.declare(name, type_)
        attributes = i.call.argument_attributes
        new = b.insert(
            Instruction("call", result, [*arguments, GlobalRef.of(name)], CallInfo(type_, attributes), i.flags)
        )
        return self._from_native(b, new) if is_source else new

    def _to_native_type(self, type_: Type) -> Type:
        assert self.truncation.native_type is not None
        return with_same_shape(self.truncation.native_type, type_)

    def _native_name(self, callee: Callee) -> str | None:
        rule, native, plain = callee.rule, self.truncation.native_type, plain_name(callee.name)
        if native is None or rule is None or rule.kind != "plain" or rule.outputs or rule.fields:
            return None
        if plain.startswith("llvm."):
            here, there = (f"{_MANGLED[t.kind]}" for t in (self.truncation.source, native))
            parts = [part.replace(here, there) for part in plain.split(".")]
            return global_name(".".join(parts))
        other = rule.name + _SUFFIXES[native.kind]
        return (
            global_name(other)
            if plain == rule.name + _SUFFIXES[self.truncation.source.kind] and lookup(other)
            else None
        )


class TruncatedInPlace(TruncatedCopies):
    """The functions of a program, which are truncated in place. Code that is not in the module stays as it is."""

    def original_name(self, function: Function) -> str:
        return plain_name(function.name)

    def rewrite_all(self) -> None:
        """Rewrites each function that has a body."""
        for name in [name for name, f in self.module.functions.items() if not f.is_declaration]:
            function = self.module.body(name)
            if self.lines is not None:  # notes of errors write memory
                function.suffix = self.attributes_of_copy(function)
            self.rewrite(function)

    def defined(self, i: Instruction, callee: Callee, more: Sequence[Argument]) -> None:
        if self.lines is not None:
            i.extra = replace(i.call, attributes=self.attributes_of_call(i))

    def unknown(self, i: Instruction, callee: Callee, more: Sequence[Argument]) -> None:
        return


def _may_hold(type_: Type) -> bool:
    return is_float(type_) or is_aggregate(type_)
