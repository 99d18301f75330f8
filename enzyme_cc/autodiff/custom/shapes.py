"""The prototypes of registered derivatives: what they must be, checked against what they are.

C's calling convention returns small structs in registers of other types, and large structs in memory. So results are
compared by their scalars and by the offsets of these.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from ...analysis.activity.activity import ArgumentActivity
from ...analysis.callees import plain_name
from ...analysis.memory.effects import Effects
from ...ir.attributes import byval_type
from ...ir.module import Module
from ...ir.types import (
    PTR,
    VOID,
    ArrayType,
    NamedStruct,
    PointerType,
    StructType,
    Type,
    VectorType,
    alloc_size,
    field_offsets,
    holds,
    in_words,
    is_float,
    is_pointer,
    struct_fields,
)
from ...ir.values import Function
from ...report.diagnostics import EnzymeError
from ..core.calling_convention import Parameters, Prototype, Results
from ..core.signature import Form

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


class Shape(Struct, frozen=True):
    """A function as the program declares it.

    - `parameters`: types, without the pointer to the place of the result.
    - `in_memory`: the struct that is returned in memory; None if the result is returned in registers.
    - `result`: the scalars of the result.
    """

    function: Function
    parameters: tuple[Type, ...]
    in_memory: Type | None
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


class Registered(Struct, frozen=True):
    """A registered function that fits. `prototype` says what each of its parameters and results is."""

    shape: Shape
    prototype: Prototype


class Gradient(Struct, frozen=True):
    """A registered gradient: the augmented function, and the reverse function that gets its tape."""

    primal: Function
    augmented: Registered
    reverse: Registered


class SplitDerivative(Struct, frozen=True):
    """A registered forward derivative in two halves: the augmented function, and the one that gets its tape."""

    primal: Function
    augmented: Registered
    forward: Registered


class Derivative(Struct, frozen=True):
    """A registered forward derivative. It returns {result, tangent}, or the tangent alone."""

    primal: Function
    derivative: Registered


def gradient(module: Module, function: str, augmented: str, reverse: str) -> Gradient:
    """Returns the gradient of the function.

    Raises EnzymeError (EZ0207) with the prototypes expected and found where they differ.
    """
    primal = module.functions[function]
    first = _augmented(module, primal, augmented)
    types = primal.type.params
    parameters = replace(
        _passed(primal, Form.REVERSE),
        seeds=[type_ for type_, _ in leaves(primal.type.result) if is_float(type_)],
        tape=first.prototype.results.tape,
    )
    results: Results[Type] = Results(adjoints={k: [t] for k, t in enumerate(types) if is_float(t)})
    return Gradient(primal, first, _fitted(module, primal, reverse, [Prototype(parameters, results)]))


def split_derivative(module: Module, function: str, augmented: str, forward: str) -> SplitDerivative:
    """Returns the forward derivative of the function in two halves. Raises EnzymeError (EZ0207) as `gradient` does."""
    primal = module.functions[function]
    first = _augmented(module, primal, augmented)
    parameters = replace(_passed(primal, Form.TANGENT), tape=first.prototype.results.tape)
    results = Results(shadows=_returned(primal))
    return SplitDerivative(primal, first, _fitted(module, primal, forward, [Prototype(parameters, results)]))


def derivative(module: Module, function: str, name: str) -> Derivative:
    """Returns the forward derivative of the function. Raises EnzymeError (EZ0207) as `gradient` does."""
    primal = module.functions[function]
    _check_primal(primal, module)
    parameters, result = _passed(primal, Form.TANGENT), _returned(primal)
    alone = Prototype(parameters, Results(shadows=result))
    both = Prototype(parameters, Results(primal=primal.type.result, shadows=result))
    return Derivative(primal, _fitted(module, primal, name, [alone, both] if result else [alone]))


def _augmented(module: Module, primal: Function, name: str) -> Registered:
    """The augmented function, which returns the primal's result and may return a tape before it.

    It may return nothing if the result is a number, and calling the primal for it changes no memory.
    """
    _check_primal(primal, module)
    result = _returned(primal)
    shadows = result if is_pointer(primal.type.result) else ()
    returned = shape_of(module, name).result_types
    parameters = _passed(primal, Form.AUGMENTED)
    plain: Results[Type] = Results(None, result[0] if result else None, shadows)
    # the tape may be of any type: the first alternative is the one that a diagnostic shows
    tapes = dict.fromkeys([PTR, *returned[:1]])
    taped = [Prototype(parameters, replace(plain, tape=tape)) for tape in tapes]
    nothing = [] if shadows or not writes_nothing(module, primal, primal.name) else [Prototype(parameters, Results())]
    return _fitted(module, primal, name, [*taped, Prototype(parameters, plain), *nothing])


def writes_nothing(module: Module, primal: Function, name: str) -> bool:
    """True if the function, which has the primal's effects, writes no memory.

    A native function is taken to write none if the primal has no pointer parameters.
    """
    function = module.functions[name]
    if function.is_declaration:
        return not any(holds(t, PointerType) for t in primal.type.params)
    return Effects(module).summary(function) == ()


def _passed(primal: Function, form: Form) -> Parameters[Type]:
    """The arguments and shadows that a registered function for the form takes: pointers are DUP, numbers OUT."""
    types = primal.type.params
    return Parameters.paired(map(_activity, types), types.__getitem__, lambda k: [types[k]], form)


def _activity(type_: Type) -> ArgumentActivity:
    if is_pointer(type_):
        return ArgumentActivity.DUP
    return ArgumentActivity.OUT if is_float(type_) else ArgumentActivity.CONST


def _returned(primal: Function) -> Sequence[Type]:
    result = primal.type.result
    return () if result == VOID else (result,)


def _fitted(module: Module, primal: Function, name: str, prototypes: Sequence[Prototype]) -> Registered:
    """Returns the function with the first of the prototypes that it has. Raises EnzymeError (EZ0207) if none fits."""
    shape = shape_of(module, name)
    for prototype in prototypes:
        if shape.parameters == prototype.params and shape.result_types == _scalars(prototype):
            return Registered(shape, prototype)
    raise _misfit(module, primal, name, shape, prototypes[0])


def _scalars(prototype: Prototype) -> list[Type]:
    """The types of the scalars that a function of the prototype returns."""
    return [scalar for type_ in prototype.results.in_order() for scalar, _ in leaves(type_)]


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


def _misfit(module: Module, primal: Function, name: str, shape: Shape, prototype: Prototype) -> EnzymeError:
    expected = _spelled(_scalars(prototype), prototype.params)
    return EnzymeError.of(
        "EZ0207",
        f"{plain_name(name)} cannot be a derivative of {plain_name(primal.name)}",
        location=module.function_location(module.functions[name]),
        function=plain_name(name),
        reason=f"expected: {expected}\nfound:    {_spelled(shape.result_types, shape.parameters)}",
        remedy="change its prototype: each pointer of the function is followed by its shadow",
    )


def _spelled(results: Sequence[Type], parameters: Sequence[Type]) -> str:
    words = [in_words(t) for t in results]
    result = words[0] if len(words) == 1 else f"{{{', '.join(words)}}}" if words else "void"
    return f"{result} ({', '.join(map(in_words, parameters))})"
