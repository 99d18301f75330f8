"""Type analysis: what the bytes behind pointers hold, and what integers carry.

Unification in Steensgaard's way (POPL 1996), extended with byte offsets and strides. A *region* is memory reached
through pointers that may be equal; it maps byte offsets to *contents*. A content is what one scalar holds, in memory
or in a register: the kinds of use seen, and for a pointer the place it points to. Copies of memory relate contents at
equal distances, and are repeated until nothing changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from math import gcd

from ..ir.module import Module
from ..ir.types import (
    ArrayType,
    FloatType,
    IntType,
    NamedStruct,
    PointerType,
    StructType,
    Type,
    VectorType,
    alloc_size,
    field_offsets,
    struct_fields,
)
from ..ir.values import Argument, Constant, ConstantExpr, ConstantInt, Function, GlobalRef, Instruction, Value
from .callees import CalleeKind, Callees


class Kind(Enum):
    """What a scalar is. ANYTHING: no use tells. CONFLICT: uses contradict each other."""

    INTEGER = "integer"
    POINTER = "pointer"
    HALF = "half"
    BFLOAT = "bfloat"
    FLOAT = "float"
    DOUBLE = "double"
    X86_FP80 = "x86_fp80"
    FP128 = "fp128"
    ANYTHING = "anything"
    UNKNOWN = "unknown"
    CONFLICT = "conflict"


_FLOATS = {k.value: k for k in (Kind.HALF, Kind.BFLOAT, Kind.FLOAT, Kind.DOUBLE, Kind.X86_FP80, Kind.FP128)}
_SIZES = {
    Kind.POINTER: 8,
    Kind.HALF: 2,
    Kind.BFLOAT: 2,
    Kind.FLOAT: 4,
    Kind.DOUBLE: 8,
    Kind.X86_FP80: 16,
    Kind.FP128: 16,
}
#: scalar type names of TBAA
_TBAA = {
    "double": Kind.DOUBLE,
    "float": Kind.FLOAT,
    "long double": Kind.X86_FP80,
    "any pointer": Kind.POINTER,
    "int": Kind.INTEGER,
    "long": Kind.INTEGER,
    "short": Kind.INTEGER,
    "bool": Kind.INTEGER,
    "long long": Kind.INTEGER,
    "vtable pointer": Kind.POINTER,
}


@dataclass(frozen=True)
class Segment:
    offset: int
    length: int
    kind: Kind


@dataclass(frozen=True)
class Layout:
    """Segments of [0, size), or of one period where the same repeats."""

    period: int | None
    segments: tuple[Segment, ...]


class Content:
    """What one scalar holds; contents found equal are joined (union-find)."""

    __slots__ = ("joined", "kinds", "target")

    def __init__(self) -> None:
        self.joined: Content | None = None
        self.kinds: set[Kind] = set()
        self.target: tuple[Region, int] | None = None


class Region:
    """Memory; joined regions are displaced by `shift` (offset here + shift = offset there)."""

    __slots__ = ("cells", "joined", "local", "period", "shift")

    def __init__(self, local: bool = False) -> None:
        self.joined: Region | None = None
        self.shift = 0
        self.period = 0
        self.cells: dict[int, tuple[Content, int]] = {}
        self.local = local


def _content(c: Content) -> Content:
    while c.joined is not None:
        if c.joined.joined is not None:
            c.joined = c.joined.joined
        c = c.joined
    return c


def _root(region: Region, offset: int) -> tuple[Region, int]:
    while region.joined is not None:
        offset += region.shift
        region = region.joined
    return region, offset % region.period if region.period else offset


class TypeAnalysis:
    """Over the functions given, which are analysed together."""

    def __init__(
        self, module: Module, functions: Iterable[Function], bindings: Iterable[tuple[Value, Value]] = ()
    ) -> None:
        self.module = module
        self.callees = Callees(module)
        self._functions = {f.name: f for f in functions}
        self._values: dict[Value, Content] = {}
        self._globals: dict[str, Content] = {}
        self._results: dict[str, Content] = {}
        self._copies: list[tuple[Content, Content, int | None]] = []
        self._calls: dict[Instruction, None] = {}
        for function in self._functions.values():
            for i in function.instructions():
                self._visit(i, function)
        for actual, formal in bindings:
            if isinstance(actual, GlobalRef | ConstantExpr) or not isinstance(actual, Constant):
                self._join(self.of(formal), self.of(actual))
        self._settle()

    # -- answers

    def value_kind(self, value: Value) -> Kind:
        """What an integer (or pointer, or float) value carries."""
        if isinstance(value.type, FloatType):
            return _FLOATS.get(value.type.kind, Kind.UNKNOWN)
        if isinstance(value.type, PointerType):
            return Kind.POINTER
        if isinstance(value, Constant) or value not in self._values:
            return Kind.INTEGER
        kind = _kind(_content(self._values[value]))
        return Kind.INTEGER if kind is Kind.ANYTHING else kind

    def value_parts(self, value: Value) -> tuple[tuple[int, int, Kind], ...]:
        """(bit offset, bits, kind) of the parts of an integer that carries several numbers."""
        return ()

    def layout(self, pointer: Value, size: int | None) -> Layout | None:
        """What the size bytes at the pointer hold; None where that is not known."""
        place = self._place(pointer)
        if place is None:
            return None
        region, start = _root(*place)
        period = region.period
        if period and size is not None and size <= period and start + size <= period:
            period = 0
        if not period and size is None:
            return self._unbounded(region, start)
        span = period or size
        assert span is not None
        segments: list[Segment] = []
        end = 0
        for offset, cell, width in self._cells_from(region, start, span, bool(period)):
            kind = _kind(_content(cell))
            length = _SIZES.get(kind, width)
            if offset < end:
                if segments and segments[-1].kind is kind:
                    continue
                return None
            if kind in (Kind.UNKNOWN, Kind.CONFLICT):
                return None
            if offset > end and not self._is_gap_harmless(region, offset - end):
                return None
            segments.append(Segment(offset, min(length, span - offset), kind))
            end = offset + length
        if end < span and not self._is_gap_harmless(region, span - end):
            return None
        if not segments:
            segments = [Segment(0, span, Kind.ANYTHING)]
        return _simplified(period or None, span, segments)

    def _unbounded(self, region: Region, start: int) -> Layout | None:
        kinds = {_kind(_content(c)) for o, (c, _) in region.cells.items() if o >= start}
        if len(kinds) == 1:
            kind = kinds.pop()
            if kind in _SIZES:
                return Layout(_SIZES[kind], (Segment(0, _SIZES[kind], kind),))
            if kind is Kind.INTEGER and region.local:
                return Layout(1, (Segment(0, 1, kind),))
        return Layout(1, (Segment(0, 1, Kind.ANYTHING),)) if not kinds and region.local else None

    def _is_gap_harmless(self, region: Region, gap: int) -> bool:
        return region.local or gap < 8

    def _cells_from(self, region: Region, start: int, span: int, periodic: bool) -> Iterator[tuple[int, Content, int]]:
        found = []
        for offset, (cell, width) in region.cells.items():
            at = (offset - start) % span if periodic else offset - start
            if 0 <= at < span:
                found.append((at, cell, width))
        found.sort(key=lambda f: f[0])
        yield from found

    def why_unknown(self, pointer: Value, size: int | None) -> str:
        place = self._place(pointer)
        if place is None:
            return "nothing is known of where the pointer comes from"
        region, start = _root(*place)
        seen = {o: _kind(_content(c)).value for o, (c, _) in sorted(region.cells.items())}
        return f"{size if size is not None else 'an unknown number of'} bytes at offset {start}; seen there: {seen}"

    # -- contents of values

    def of(self, value: Value) -> Content:
        """The content of a value; of a constant a fresh one, or that of the global it refers to."""
        if isinstance(value, GlobalRef):
            return self._global(value.name)
        if isinstance(value, ConstantExpr) and value.opcode == "getelementptr":
            return self._displaced(value.operands[0], value.source, value.operands[1:])
        if isinstance(value, ConstantExpr):
            return self.of(value.operands[0])
        if isinstance(value, Constant):
            return Content()
        if value not in self._values:
            content = self._values[value] = Content()
            if isinstance(value.type, FloatType):
                content.kinds.add(_FLOATS.get(value.type.kind, Kind.UNKNOWN))
        return self._values[value]

    def _global(self, name: str) -> Content:
        if name not in self._globals:
            content = self._globals[name] = Content()
            content.kinds.add(Kind.POINTER)
            variable = self.module.globals.get(name)
            region = Region(local=variable is not None and variable.linkage in ("private", "internal"))
            content.target = (region, 0)
            if variable is not None and not variable.alias:
                self._shape(region, 0, variable.value_type)
        return self._globals[name]

    def _place(self, pointer: Value) -> tuple[Region, int] | None:
        return _content(self.of(pointer)).target

    def _target(self, pointer: Value) -> tuple[Region, int]:
        content = _content(self.of(pointer))
        content.kinds.add(Kind.POINTER)
        if content.target is None:
            content.target = (Region(), 0)
        return content.target

    def _cell(self, place: tuple[Region, int], width: int) -> Content:
        region, offset = _root(*place)
        found = region.cells.get(offset)
        if found is None:
            found = region.cells[offset] = (Content(), width)
        return found[0]

    # -- joining

    def _join(self, a: Content, b: Content) -> bool:
        """Whether anything was new."""
        a, b = _content(a), _content(b)
        if a is b:
            return False
        b.joined = a
        a.kinds |= b.kinds
        if b.target is not None:
            if a.target is None:
                a.target = b.target
            else:
                self._join_regions(a.target, b.target)
        return True

    def _join_regions(self, first: tuple[Region, int], second: tuple[Region, int]) -> None:
        a, x = _root(*first)
        b, y = _root(*second)
        if a is b:
            if x != y:
                self._set_period(a, abs(x - y))
            return
        b.joined, b.shift = a, x - y
        a.local = a.local and b.local
        cells, period = b.cells, b.period
        b.cells = {}
        if period:
            self._set_period(a, period)
        for offset, (content, width) in cells.items():
            self._enter(a, offset + x - y, content, width)

    def _set_period(self, region: Region, period: int) -> None:
        period = gcd(region.period, period)
        if period == region.period:
            return
        region.period = period
        cells, region.cells = region.cells, {}
        for offset, (content, width) in cells.items():
            self._enter(region, offset, content, width)

    def _enter(self, region: Region, offset: int, content: Content, width: int) -> None:
        region, offset = _root(region, offset)
        found = region.cells.get(offset)
        if found is None:
            region.cells[offset] = (content, width)
        else:
            region.cells[offset] = (found[0], max(found[1], width))
            self._join(found[0], content)

    def _shape(self, region: Region, offset: int, type_: Type, depth: int = 0) -> None:
        """Enters floats and pointers of a declared type. Integers are left open: they may be storage for anything."""
        if isinstance(type_, FloatType | PointerType):
            kind = Kind.POINTER if isinstance(type_, PointerType) else _FLOATS.get(type_.kind, Kind.UNKNOWN)
            content = Content()
            content.kinds.add(kind)
            self._enter(region, offset, content, alloc_size(type_))
        elif isinstance(type_, StructType | NamedStruct):
            for field, at in zip(struct_fields(type_), field_offsets(type_), strict=True):
                self._shape(region, offset + at, field, depth + 1)
        elif isinstance(type_, ArrayType | VectorType):
            if depth == 0 and type_.count > 1:
                self._set_period(region, alloc_size(type_.element))
                self._shape(region, offset, type_.element)
            elif type_.count <= 256:
                for k in range(type_.count):
                    self._shape(region, offset + k * alloc_size(type_.element), type_.element, depth + 1)

    def _displaced(self, base: Value, source: Type | None, indices: Iterable[Value]) -> Content:
        """The content of a getelementptr."""
        region, offset = self._target(base)
        assert source is not None
        shift, strides = _displacement(source, list(indices))
        for stride in strides:
            root, _ = _root(region, offset)
            self._set_period(root, stride)
        content = Content()
        content.kinds.add(Kind.POINTER)
        content.target = (region, offset + shift)
        return content

    # -- instructions

    def _visit(self, i: Instruction, function: Function) -> None:
        handler = _VISITORS.get(i.opcode)
        if handler is not None:
            handler(self, i, function)
        elif i.opcode in _INTEGER_OPCODES:
            for o in (*i.operands, i):
                if isinstance(o.type, IntType) and not isinstance(o, Constant):
                    _content(self.of(o)).kinds.add(Kind.INTEGER)

    def _visit_alloca(self, i: Instruction, _: Function) -> None:
        region = Region(local=True)
        self._point(i, (region, 0))
        accessed = i.memory.accessed
        if accessed is not None:
            self._shape(region, 0, accessed)

    def _point(self, value: Value, place: tuple[Region, int]) -> None:
        content = Content()
        content.kinds.add(Kind.POINTER)
        content.target = place
        self._join(self.of(value), content)

    def _visit_load(self, i: Instruction, _: Function) -> None:
        self._access(i, i.operands[0], i)

    def _visit_store(self, i: Instruction, _: Function) -> None:
        self._access(i.operands[0], i.operands[1], i)

    def _access(self, value: Value, pointer: Value, i: Instruction) -> None:
        place = self._target(pointer)
        type_ = value.type
        if isinstance(type_, IntType | FloatType | PointerType):
            cell = self._cell(place, alloc_size(type_))
            self._tagged(cell, i, type_)
            if not isinstance(value, ConstantInt):
                content = self.of(value)
                if isinstance(type_, FloatType):
                    _content(cell).kinds.add(_FLOATS.get(type_.kind, Kind.UNKNOWN))
                else:
                    if isinstance(type_, PointerType):
                        _content(cell).kinds.add(Kind.POINTER)
                    self._join(cell, content)
        else:
            region, offset = place
            self._shape(region, offset, type_, 1)

    def _tagged(self, cell: Content, i: Instruction, type_: Type) -> None:
        node = i.metadata_node("!tbaa")
        if node is None or not isinstance(type_, IntType):
            return
        kind = self._tag_kind(node)
        if kind is not None:
            _content(cell).kinds.add(kind)

    def _tag_kind(self, node: str) -> Kind | None:
        parts = re.findall(r"![0-9]+", self.module.metadata.get(node, ""))
        name = re.match(r'!\{!"([^"]*)"', self.module.metadata.get(parts[1], "")) if len(parts) > 1 else None
        if name is None:
            return None
        return Kind.POINTER if re.match(r"p\d+ ", name[1]) else _TBAA.get(name[1])

    def _visit_gep(self, i: Instruction, _: Function) -> None:
        if isinstance(i.type, PointerType):
            self._join(self.of(i), self._displaced(i.operands[0], i.source_type, i.operands[1:]))
            for o in i.operands[1:]:
                if not isinstance(o, Constant):
                    _content(self.of(o)).kinds.add(Kind.INTEGER)

    def _visit_copying(self, i: Instruction, _: Function) -> None:
        operands = (
            i.operands[1:] if i.opcode == "select" else [v for v, _b in i.incoming] if i.opcode == "phi" else i.operands
        )
        if isinstance(i.type, IntType | PointerType):
            for o in operands:
                if isinstance(o, GlobalRef | ConstantExpr) or not isinstance(o, Constant):
                    self._join(self.of(i), self.of(o))

    def _visit_bitcast(self, i: Instruction, _: Function) -> None:
        source, target = i.operands[0].type, i.type
        for a, b in ((source, i), (target, i.operands[0])):
            if isinstance(a, FloatType) and isinstance(b.type, IntType) and not isinstance(b, Constant):
                _content(self.of(b)).kinds.add(_FLOATS.get(a.kind, Kind.UNKNOWN))

    def _visit_inttoptr(self, i: Instruction, _: Function) -> None:
        if not isinstance(i.operands[0], Constant):
            self._join(self.of(i), self.of(i.operands[0]))

    def _visit_ret(self, i: Instruction, function: Function) -> None:
        if (
            i.operands
            and isinstance(i.operands[0].type, IntType | PointerType)
            and not isinstance(i.operands[0], ConstantInt)
        ):
            self._join(self._results.setdefault(function.name, Content()), self.of(i.operands[0]))

    def _visit_call(self, i: Instruction, _: Function) -> None:
        callee = self.callees.of(i)
        if callee.kind in (CalleeKind.ALLOCATE, CalleeKind.REALLOCATE):
            self._point(i, (Region(local=True), 0))
            if callee.kind is CalleeKind.REALLOCATE:
                self._join(self.of(i), self.of(i.arguments[0]))
        elif callee.kind is CalleeKind.COPY and callee.known is not None:
            known = callee.known
            self._copy(i, i.arguments[known.target], i.arguments[known.source], i.arguments[known.length])
        elif callee.name in self._functions:
            self._bind(i, self._functions[callee.name])

    def _copy(self, i: Instruction, target: Value, source: Value, size: Value) -> None:
        self._target(target), self._target(source)
        count = size.value if isinstance(size, ConstantInt) else None
        self._copies.append((self.of(target), self.of(source), count))
        if isinstance(i.type, PointerType):
            self._join(self.of(i), self.of(target))
        node = i.metadata_node("!tbaa.struct")
        if node is not None:
            for offset, _, tag in re.findall(r"i64 (\d+), i64 (\d+), (![0-9]+)", self.module.metadata.get(node, "")):
                kind = self._tag_kind(tag)
                if kind is not None:
                    for pointer in (target, source):
                        region, start = self._target(pointer)
                        _content(self._cell((region, start + int(offset)), _SIZES.get(kind, 4))).kinds.add(kind)

    def _bind(self, i: Instruction, function: Function) -> None:
        for actual, formal in zip(i.arguments, function.arguments, strict=False):
            if isinstance(formal.type, IntType | PointerType) and (
                isinstance(actual, GlobalRef | ConstantExpr) or not isinstance(actual, Constant)
            ):
                self._join(self.of(formal), self.of(actual))
        if isinstance(i.type, IntType | PointerType):
            self._join(self._results.setdefault(function.name, Content()), self.of(i))

    def _settle(self) -> None:
        """Relates the contents that copies copy, until nothing changes."""
        changed = True
        while changed:
            changed = False
            for target, source, count in self._copies:
                changed |= self._relate(target, source, count)
                changed |= self._relate(source, target, count)

    def _relate(self, target: Content, source: Content, count: int | None) -> bool:
        to, of = _content(target).target, _content(source).target
        assert to is not None and of is not None
        region, start = _root(*of)
        changed = False
        for offset, (content, width) in list(region.cells.items()):
            if region.period:
                distance = (offset - start) % region.period
                step = region.period
            else:
                distance, step = offset - start, 0
            if distance < 0 or (count is not None and distance >= count):
                continue
            if step and not (count is not None and count <= step):
                self._set_period(_root(*to)[0], step)
            cell = self._cell((to[0], to[1] + distance), width)
            changed |= self._join(cell, content)
        return changed


def _kind(content: Content) -> Kind:
    kinds = content.kinds
    if not kinds:
        return Kind.ANYTHING
    return next(iter(kinds)) if len(kinds) == 1 else Kind.CONFLICT


def _simplified(period: int | None, span: int, segments: list[Segment]) -> Layout:
    """One kind all over becomes a single segment."""
    kinds = {s.kind for s in segments}
    if len(kinds) == 1 and sum(s.length for s in segments) == span:
        kind = segments[0].kind
        return Layout(None if period is None else period, (Segment(0, span, kind),))
    return Layout(period, tuple(segments))


def _displacement(source: Type, indices: list[Value]) -> tuple[int, list[int]]:
    """Constant byte offset of a getelementptr, and the strides of its variable indices."""
    shift, strides = 0, []
    type_: Type = source
    for position, index in enumerate(indices):
        if position > 0 and isinstance(type_, StructType | NamedStruct):
            assert isinstance(index, ConstantInt)
            shift += field_offsets(type_)[index.value]
            type_ = struct_fields(type_)[index.value]
            continue
        if position > 0:
            assert isinstance(type_, ArrayType | VectorType)
            type_ = type_.element
        if isinstance(index, ConstantInt):
            shift += index.value * alloc_size(type_)
        else:
            strides.append(_factor(index) * alloc_size(type_))
    return shift, strides


def _factor(index: Value) -> int:
    """A constant that divides the index, from how it is computed."""
    while isinstance(index, Instruction) and index.opcode in ("zext", "sext"):
        index = index.operands[0]
    if isinstance(index, Instruction) and isinstance(index.operands[-1], ConstantInt):
        constant = index.operands[-1].value
        if index.opcode == "mul" and constant:
            return abs(constant)
        if index.opcode == "shl" and 0 <= constant < 32:
            return 1 << constant
    return 1


_INTEGER_OPCODES = frozenset("add sub mul udiv sdiv urem srem icmp sitofp uitofp fptosi fptoui switch".split())
_VISITORS = {
    "alloca": TypeAnalysis._visit_alloca,
    "load": TypeAnalysis._visit_load,
    "store": TypeAnalysis._visit_store,
    "getelementptr": TypeAnalysis._visit_gep,
    "phi": TypeAnalysis._visit_copying,
    "select": TypeAnalysis._visit_copying,
    "freeze": TypeAnalysis._visit_copying,
    "bitcast": TypeAnalysis._visit_bitcast,
    "inttoptr": TypeAnalysis._visit_inttoptr,
    "ret": TypeAnalysis._visit_ret,
    "call": TypeAnalysis._visit_call,
    "invoke": TypeAnalysis._visit_call,
}

__all__ = ["Argument", "Kind", "Layout", "Segment", "TypeAnalysis"]
