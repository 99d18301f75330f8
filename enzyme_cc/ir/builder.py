"""Makes instructions at the end of a block or before a given instruction. folding.py spares trivial arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from .constants import ConstantAggregate, ConstantInt, ConstantWord, GlobalRef
from .folding import fold_float, fold_int, int_constant, is_zero, wrap_int
from .types import (
    I1,
    I32,
    PTR,
    VOID,
    FloatType,
    FunctionType,
    IntType,
    StructType,
    Type,
    VectorType,
    indexed_type,
    is_float,
    scalar,
    with_same_shape,
)
from .values import (
    Block,
    CallInfo,
    Extra,
    Indices,
    Instruction,
    MemoryInfo,
    Predicate,
    Source,
    Value,
)

_SUMS = ("fadd", "fsub")


class Builder:
    """Makes instructions at the end of `block`, or before an instruction of it.

    `fast` holds the fast-math flags of the floating-point arithmetic that it makes.
    """

    def __init__(self, block: Block, fast: tuple[str, ...] = ()) -> None:
        self.block = block
        self.fast = fast
        self._next: Instruction | None = None  # emits before this one; None: at the end of the block
        self._index = 0  # its last known index
        self._metadata: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def before(i: Instruction, fast: tuple[str, ...] = ()) -> Builder:
        """Returns a builder that emits before the instruction, whose source position the new instructions get."""
        assert i.block is not None
        builder = Builder(i.block, fast)
        builder._next = i
        builder._metadata = tuple((kind, node) for kind, node in i.metadata if kind == "!dbg")
        return builder

    @staticmethod
    def after(i: Instruction, fast: tuple[str, ...] = ()) -> Builder:
        """Returns a builder that emits behind the instruction, which is no terminator, with its source position.

        Behind a phi this is behind all phis of the block.
        """
        assert i.block is not None
        builder = Builder.before(i, fast)
        instructions = i.block.instructions
        at = len(i.block.phis) if i.opcode == "phi" else instructions.index(i) + 1
        builder._next = instructions[at] if at < len(instructions) else None
        return builder

    @staticmethod
    def first(block: Block, fast: tuple[str, ...] = ()) -> Builder:
        """Returns a builder that emits at the head of the block, behind its phis, without a source position."""
        builder = Builder(block, fast)
        builder._next = next((i for i in block.instructions if i.opcode != "phi"), None)
        return builder

    def at(self, block: Block) -> Builder:
        """Returns a builder with the same flags at the end of another block."""
        return Builder(block, self.fast)

    def insert(self, i: Instruction) -> Instruction:
        """Inserts an instruction and returns it. Its metadata stays, if it has any."""
        if not i.metadata:
            i.metadata = self._metadata
        if self._next is None:
            return self.block.append(i)
        instructions = self.block.instructions
        if self._index >= len(instructions) or instructions[self._index] is not self._next:
            self._index = instructions.index(self._next)
        self._index += 1
        return self.block.insert(self._index - 1, i)

    def emit(
        self,
        opcode: str,
        type_: Type,
        operands: Sequence[Value] = (),
        extra: Extra = None,
        flags: tuple[str, ...] = (),
        name: str = "",
    ) -> Instruction:
        return self.insert(Instruction(opcode, type_, operands, extra, flags, name))

    # -- floating point

    def float_op(self, opcode: str, *operands: Value) -> Value:
        """Emits floating-point arithmetic; neutral elements fold if the flags contain nsz.

        Only sums may be reassociated. In a product of partial derivatives, huge factors stand beside tiny ones: in
        another order, they overflow.
        """
        if "nsz" in self.fast:
            folded = fold_float(opcode, operands)
            if folded is not None:
                return folded
        flags = self.fast if opcode in _SUMS else tuple(flag for flag in self.fast if flag != "reassoc")
        return self.emit(opcode, operands[0].type, operands, flags=flags)

    def fadd(self, a: Value, b: Value) -> Value:
        return self.float_op("fadd", a, b)

    def fsub(self, a: Value, b: Value) -> Value:
        if "nsz" in self.fast and is_zero(a):
            return self.fneg(b)
        return self.float_op("fsub", a, b)

    def fmul(self, a: Value, b: Value) -> Value:
        return self.float_op("fmul", a, b)

    def fdiv(self, a: Value, b: Value) -> Value:
        return self.float_op("fdiv", a, b)

    def fneg(self, a: Value) -> Value:
        if isinstance(a, Instruction) and a.opcode == "fneg":
            return a.operands[0]
        return self.float_op("fneg", a)

    def fcmp(self, predicate: str, a: Value, b: Value) -> Instruction:
        return self.emit("fcmp", with_same_shape(I1, a.type), (a, b), Predicate(predicate))

    # -- integers

    def int_op(self, opcode: str, a: Value, b: Value, flags: tuple[str, ...] = ()) -> Value:
        """Emits integer arithmetic; constants and neutral operands of add, sub and mul fold."""
        folded = fold_int(opcode, a, b)
        return self.emit(opcode, a.type, (a, b), flags=flags) if folded is None else folded

    def add(self, a: Value, b: Value, flags: tuple[str, ...] = ()) -> Value:
        return self.int_op("add", a, b, flags)

    def sub(self, a: Value, b: Value, flags: tuple[str, ...] = ()) -> Value:
        return self.int_op("sub", a, b, flags)

    def mul(self, a: Value, b: Value, flags: tuple[str, ...] = ()) -> Value:
        return self.int_op("mul", a, b, flags)

    def icmp(self, predicate: str, a: Value, b: Value) -> Instruction:
        return self.emit("icmp", with_same_shape(I1, a.type), (a, b), Predicate(predicate))

    def resize_int(self, value: Value, type_: Type, signed: bool = False) -> Value:
        """Extends or truncates to the integer type; returns the value itself if it has that type."""
        source, target = value.type, type_
        assert isinstance(source, IntType) and isinstance(target, IntType)
        if source == target:
            return value
        if isinstance(value, ConstantInt) and (signed or value.value >= 0):
            return wrap_int(value.value, type_)
        if target.bits < source.bits:
            return self.cast("trunc", value, type_)
        return self.cast("sext" if signed else "zext", value, type_)

    # -- casts and choices

    def cast(self, opcode: str, value: Value, type_: Type) -> Value:
        return value if value.type == type_ else self.emit(opcode, type_, (value,))

    def resize_float(self, value: Value, type_: Type) -> Value:
        """Extends or truncates to the float type; returns the value itself if it has that type."""
        source, target = scalar(value.type), scalar(type_)
        assert isinstance(source, FloatType) and isinstance(target, FloatType)
        if source == target:
            return value
        return self.cast("fptrunc" if target.bits < source.bits else "fpext", value, type_)

    def select(self, condition: Value, a: Value, b: Value) -> Value:
        if a == b:
            return a
        if isinstance(condition, ConstantInt):
            return a if condition.value else b
        flags = self.fast if is_float(a.type) else ()
        return self.emit("select", a.type, (condition, a, b), flags=flags)

    # -- memory

    def alloca(self, type_: Type, count: Value | None = None, align: int | None = None, name: str = "") -> Instruction:
        return self.emit("alloca", PTR, () if count is None else (count,), MemoryInfo(type_, align), name=name)

    def load(self, type_: Type, pointer: Value, align: int | None = None) -> Instruction:
        return self.emit("load", type_, (pointer,), MemoryInfo(type_, align))

    def store(self, value: Value, pointer: Value, align: int | None = None) -> Instruction:
        return self.emit("store", VOID, (value, pointer), MemoryInfo(None, align))

    def gep(
        self, source: Type, base: Value, indices: Sequence[Value], flags: tuple[str, ...] = ("inbounds",)
    ) -> Instruction:
        return self.emit("getelementptr", PTR, (base, *indices), Source(source), flags)

    def offset(self, base: Value, count: Value | int, flags: tuple[str, ...] = ("inbounds",)) -> Value:
        """Returns the address base + count bytes."""
        if isinstance(count, int):
            count = int_constant(count)
        return base if is_zero(count) else self.gep(IntType(8), base, (count,), flags)

    # -- aggregates and vectors

    def extract_value(self, aggregate: Value, *indices: int) -> Instruction:
        return self.emit("extractvalue", indexed_type(aggregate.type, indices), (aggregate,), Indices(indices))

    def insert_value(self, aggregate: Value, value: Value, *indices: int) -> Instruction:
        return self.emit("insertvalue", aggregate.type, (aggregate, value), Indices(indices))

    def make_struct(self, values: Sequence[Value]) -> Value:
        out: Value = ConstantWord(StructType(tuple(v.type for v in values)), "poison")
        for i, value in enumerate(values):
            out = self.insert_value(out, value, i)
        return out

    def lane(self, vector: Value, index: int | Value) -> Instruction:
        index = int_constant(index) if isinstance(index, int) else index
        return self.emit("extractelement", scalar(vector.type), (vector, index))

    def with_lane(self, vector: Value, value: Value, index: int | Value) -> Instruction:
        index = int_constant(index) if isinstance(index, int) else index
        return self.emit("insertelement", vector.type, (vector, value, index))

    def vector(self, type_: VectorType, lanes: Iterable[Value]) -> Value:
        out: Value = ConstantWord(type_, "poison")
        for index, value in enumerate(lanes):
            out = self.with_lane(out, value, index)
        return out

    def splat(self, value: Value, type_: VectorType) -> Instruction:
        """Emits a vector of the type, each lane of which is the value."""
        nothing = ConstantWord(type_, "poison")
        mask = ConstantWord(VectorType(I32, type_.count, type_.scalable), "zeroinitializer")
        return self.emit("shufflevector", type_, (self.with_lane(nothing, value, 0), nothing, mask))

    def shuffle(self, first: Value, second: Value, lanes: Sequence[int]) -> Instruction:
        """Emits a vector of the lanes with these numbers; those of the second vector follow those of the first."""
        mask = ConstantAggregate(VectorType(I32, len(lanes)), tuple(int_constant(lane, I32) for lane in lanes))
        return self.emit("shufflevector", VectorType(scalar(first.type), len(lanes)), (first, second, mask))

    # -- calls and control flow

    def call(
        self,
        callee: Value | str,
        result: Type,
        arguments: Sequence[Value],
        attributes: str = "",
        flags: tuple[str, ...] | None = None,
        argument_attributes: tuple[str, ...] | None = None,
    ) -> Instruction:
        """Emits a call. The function's type is that of result and arguments. `callee` may be a name with its @."""
        if isinstance(callee, str):
            callee = GlobalRef.of(callee)
        type_ = FunctionType(result, tuple(a.type for a in arguments))
        info = CallInfo(type_, argument_attributes or ("",) * len(arguments), attributes=attributes)
        fast = (self.fast if is_float(result) else ()) if flags is None else flags
        return self.emit("call", result, (*arguments, callee), info, fast)

    def br(self, target: Block) -> Instruction:
        return self.emit("br", VOID, (target,))

    def cond_br(self, condition: Value, then: Block, otherwise: Block) -> Instruction:
        if then is otherwise:
            return self.br(then)
        return self.emit("br", VOID, (condition, then, otherwise))

    def switch(self, value: Value, default: Block, cases: Iterable[tuple[int, Block]]) -> Instruction:
        operands: list[Value] = [value, default]
        for constant, block in cases:
            operands += [ConstantInt(value.type, constant), block]
        return self.emit("switch", VOID, operands)

    def ret(self, value: Value | None = None) -> Instruction:
        return self.emit("ret", VOID, () if value is None else (value,))

    def unreachable(self) -> Instruction:
        return self.emit("unreachable", VOID)

    def phi(self, type_: Type, incoming: Iterable[tuple[Value, Block]] = ()) -> Instruction:
        """Emits a phi at the head of the block."""
        operands = [part for pair in incoming for part in pair]
        return self.block.insert(len(self.block.phis), Instruction("phi", type_, operands))


Rewrite = Callable[[Builder, Instruction], Value]


def put_in_place(i: Instruction, rewrite: Rewrite) -> None:
    """Replaces an instruction by the value that `rewrite` makes."""
    new = rewrite(Builder.before(i), i)
    i.replace_uses(new)
    i.erase()
