"""The shapes of registered derivatives: what their prototypes must be, checked against what they are.

C's calling convention returns small structs in coerced types and large ones through memory, so that results are
compared by their scalars and where these lie.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...analysis.callees import plain_name
from ...ir.attributes import byval_type
from ...ir.module import Module
from ...ir.types import (
    PTR,
    VOID,
    ArrayType,
    NamedStruct,
    StructType,
    Type,
    VectorType,
    alloc_size,
    field_offsets,
    is_float,
    is_pointer,
    struct_fields,
)
from ...ir.values import Function
from ...report.diagnostics import EnzymeError

Leaf = tuple[Type, int]


def leaves(type_: Type, offset: int = 0) -> list[Leaf]:
    """(type, byte offset) of every scalar in a type, lanes of vectors included."""
    if type_ == VOID:
        return []
    if isinstance(type_, ArrayType | VectorType):
        size = alloc_size(type_.element)
        parts: list[Leaf] = [(type_.element, offset + k * size) for k in range(type_.count)]
    elif isinstance(type_, StructType | NamedStruct):
        parts = [(t, offset + o) for t, o in zip(struct_fields(type_), field_offsets(type_), strict=True)]
    else:
        return [(type_, offset)]
    return [leaf for part, place in parts for leaf in leaves(part, place)]


@dataclass(frozen=True)
class Shape:
    """A function as it is: parameters without the place for the result, and the result's scalars."""

    function: Function
    parameters: tuple[Type, ...]
    in_memory: Type | None  # the struct that is returned through memory
    result: tuple[Leaf, ...]

    @property
    def result_types(self) -> list[Type]:
        return [type_ for type_, _ in self.result]


def shape_of(module: Module, name: str) -> Shape:
    function = module.functions[name]
    parameters = function.type.params
    first = function.arguments[0].attributes if function.arguments else ""
    in_memory = byval_type(module, first) if "sret(" in first else None
    if in_memory is not None:
        parameters = parameters[1:]
    return Shape(function, parameters, in_memory, tuple(leaves(in_memory or function.type.result)))


@dataclass(frozen=True)
class GradientShape:
    """A registered gradient that fits. `tape`: the type of the tape, None where there is none. `seeds`: how many
    numbers of the result have a differential."""

    function: Function
    augmented: Shape
    reverse: Shape
    tape: Type | None
    seeds: int


def gradient_shape(module: Module, function: str, augmented: str, reverse: str) -> GradientShape:
    """Raises EnzymeError (EZ0207) with the prototypes expected and found."""
    primal = module.functions[function]
    first, tape = _augmented_shape(module, primal, augmented)
    second = shape_of(module, reverse)
    seeds = [t for t, _ in leaves(primal.type.result) if is_float(t)]
    wanted = [*_paired(primal), *seeds, *([] if tape is None else [tape])]
    outs = [t for t in primal.type.params if is_float(t)]
    if list(second.parameters) != wanted or second.result_types != outs:
        raise _misfit(primal, reverse, second, outs, wanted)
    return GradientShape(primal, first, second, tape, len(seeds))


def _augmented_shape(module: Module, primal: Function, augmented: str) -> tuple[Shape, Type | None]:
    """The augmented function's shape, and the type of its tape."""
    _check_primal(primal, module)
    shape, pairs = shape_of(module, augmented), _paired(primal)
    result = [type_ for type_, _ in leaves(primal.type.result)]
    shadows = result if is_pointer(primal.type.result) else []
    tape = _tape_of(shape, result, shadows)
    if list(shape.parameters) != pairs or tape is None:
        raise _misfit(primal, augmented, shape, [PTR, *result, *shadows], pairs)
    return shape, None if tape == VOID else tape


def _tape_of(augmented: Shape, result: list[Type], shadows: list[Type]) -> Type | None:
    """The type of the tape, VOID where none is returned; None where the result fits in no way."""
    found = augmented.result_types
    rest = [*result, *shadows]
    if found == rest:
        return VOID
    return found[0] if found and found[1:] == rest else None


@dataclass(frozen=True)
class SplitShape:
    """A registered forward derivative in two halves that fits; `tape` as in GradientShape."""

    function: Function
    augmented: Shape
    forward: Shape
    tape: Type | None


def split_shape(module: Module, function: str, augmented: str, forward: str) -> SplitShape:
    """Raises EnzymeError (EZ0207) with the prototypes expected and found."""
    primal = module.functions[function]
    first, tape = _augmented_shape(module, primal, augmented)
    shape = shape_of(module, forward)
    wanted = [*_with_tangents(primal), *([] if tape is None else [tape])]
    result = [type_ for type_, _ in leaves(primal.type.result)]
    if list(shape.parameters) != wanted or shape.result_types != result:
        raise _misfit(primal, forward, shape, result, wanted)
    return SplitShape(primal, first, shape, tape)


def _with_tangents(primal: Function) -> list[Type]:
    return [t for p in primal.type.params for t in ([p, p] if is_pointer(p) or is_float(p) else [p])]


@dataclass(frozen=True)
class DerivativeShape:
    """A registered forward derivative that fits. `has_primal`: it returns {result, tangent}, not the tangent alone."""

    function: Function
    derivative: Shape
    has_primal: bool


def derivative_shape(module: Module, function: str, derivative: str) -> DerivativeShape:
    """Raises EnzymeError (EZ0207) with the prototypes expected and found."""
    primal = module.functions[function]
    _check_primal(primal, module)
    shape = shape_of(module, derivative)
    wanted = _with_tangents(primal)
    result = [type_ for type_, _ in leaves(primal.type.result)]
    if list(shape.parameters) != wanted or shape.result_types not in (result, result + result):
        raise _misfit(primal, derivative, shape, result, wanted)
    return DerivativeShape(primal, shape, bool(result) and shape.result_types != result)


def _paired(primal: Function) -> list[Type]:
    return [t for p in primal.type.params for t in ([p, p] if is_pointer(p) else [p])]


def _check_primal(primal: Function, module: Module) -> None:
    attributes = " ".join(a.attributes for a in primal.arguments)
    if primal.type.vararg or "sret(" in attributes or "byval(" in attributes:
        raise EnzymeError.of(
            "EZ0207",
            f"{plain_name(primal.name)} can have no derivative of its own",
            location=module.function_location(primal),
            reason="it takes variable arguments, or takes or returns a struct through memory",
            remedy="register a derivative for a function that takes pointers to the structs",
        )


def _misfit(primal: Function, name: str, shape: Shape, results: list[Type], parameters: list[Type]) -> EnzymeError:
    result: list[Type] = [t for t, _ in shape.result]
    return EnzymeError.of(
        "EZ0207",
        f"{plain_name(name)} cannot be a derivative of {plain_name(primal.name)}",
        function=plain_name(primal.name),
        reason=f"expected: {_spelled(results, parameters)}\nfound:    {_spelled(result, list(shape.parameters))}",
        remedy="change its prototype: each pointer of the function is followed by its shadow",
    )


def _spelled(results: list[Type], parameters: list[Type]) -> str:
    words = [str(t) for t in results]
    result = words[0] if len(words) == 1 else f"{{{', '.join(words)}}}" if words else "void"
    return f"{result} ({', '.join(map(str, parameters))})"
