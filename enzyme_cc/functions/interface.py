"""The interface of a differentiable function: its signature joined with its prototype."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from .array_signature import (
    CONST,
    HANDLE,
    IN,
    INOUT,
    OUT,
    RETURN,
    STRING,
    ArraySignature,
    WrittenParameter,
    free_dimensions,
)
from .dimensions import Extent
from .errors import SignatureError
from .prototype import (
    NUMBERS,
    POINTER,
    UNKNOWN,
    VOID,
    CPrototype,
    CType,
    Element,
    LibraryVariable,
    NumberType,
    unnamed,
    variable_called,
)


class Parameter(NamedTuple):
    """An array, number or struct that goes in or out.

    `role` is one of in, const, out, inout and return. `dimensions` is empty for numbers. C takes it by value, or by
    pointer (`is_pointer`); Fortran may take a pointer to an array descriptor (`has_descriptor`). It does not take a
    `variable` of the program: that is set before the call, or read after it. A `callback` is a function of the
    caller's. A `text` tells how many bytes of it C takes at least: 0 if there is no such number.
    """

    name: str
    role: str
    element: Element
    dimensions: tuple[Extent, ...] = ()
    is_pointer: bool = True
    has_descriptor: bool = False
    variable: LibraryVariable | None = None
    callback: Interface | None = None
    text: int | None = None

    @property
    def is_input(self) -> bool:
        """True if the caller passes it."""
        return self.role in (IN, CONST, INOUT)

    @property
    def is_output(self) -> bool:
        """True if the caller gets it back."""
        return self.role in (OUT, INOUT, RETURN)

    def bytes_in_c(self, symbols: Mapping[str, str], element: str) -> str:
        """Returns its size as C. `symbols` gives the C expression of each size, `element` is the type of an element."""
        return " * ".join([*(f"(size_t){d.in_c(symbols)}" for d in self.dimensions), f"sizeof({element})"])

    @property
    def is_active(self) -> bool:
        """True if it has a derivative."""
        return self.role != CONST and self.element.is_active

    @property
    def has_one_element(self) -> bool:
        """True if it is a number, or an array of one element whatever the sizes are."""
        return all(not dimension.names and dimension.value({}) == 1 for dimension in self.dimensions)

    def shape(self, sizes: Mapping[str, int]) -> tuple[int, ...]:
        """Returns the shape where the integer parameters have these values."""
        return tuple(dimension.value(sizes) for dimension in self.dimensions)

    def __str__(self) -> str:
        inside = f"[{','.join(d.text for d in self.dimensions)}]" if self.dimensions else ""
        if self.callback is not None:
            return f"callback {self.name}"
        if self.text is not None:
            return f"string {self.name}"
        return f"{self.element.dtype} {self.name}{inside}"


class Size(NamedTuple):
    """An integer parameter that is the dimension of an array. `is_free`: the function itself does not take it."""

    name: str
    element: NumberType
    is_pointer: bool = False
    is_free: bool = False


class Interface:
    """A function as callers see it. `parameters` are in C's order; behind them are free dimensions, then a result.

    `any_shape` is true if the signature follows from the prototype: arrays then may have any shape.
    """

    def __init__(
        self,
        prototype: CPrototype,
        signature: ArraySignature,
        parameters: tuple[Parameter | Size, ...],
        any_shape: bool = False,
    ) -> None:
        self.prototype = prototype
        self.signature = signature
        self.parameters = parameters
        self.any_shape = any_shape

    @property
    def order(self) -> str:
        """The order of elements in memory, as NumPy has it: C or F."""
        return "F" if self.prototype.is_fortran else "C"

    @property
    def hidden_lengths(self) -> tuple[str, ...]:
        """The sizes of Fortran's texts: they are passed behind all arguments."""
        texts = (p for p in self.taken if isinstance(p, Parameter) and p.text is not None)
        return tuple(p.dimensions[0].text for p in texts) if self.prototype.is_fortran else ()

    @cached_property
    def arguments(self) -> tuple[Parameter, ...]:
        """All arrays and numbers."""
        return tuple(p for p in self.parameters if isinstance(p, Parameter))

    @cached_property
    def sizes(self) -> tuple[Size, ...]:
        """The integers that are dimensions."""
        return tuple(p for p in self.parameters if isinstance(p, Size))

    @cached_property
    def inputs(self) -> tuple[Parameter, ...]:
        """What the caller passes, in C's order."""
        return tuple(a for a in self.arguments if a.is_input)

    @cached_property
    def outputs(self) -> tuple[Parameter, ...]:
        """What the caller gets back, in C's order; the result is the last one."""
        return tuple(a for a in self.arguments if a.is_output)

    @cached_property
    def active_inputs(self) -> tuple[Parameter, ...]:
        """The inputs that have a derivative."""
        return tuple(a for a in self.inputs if a.is_active)

    @cached_property
    def active_outputs(self) -> tuple[Parameter, ...]:
        """The outputs that have a derivative."""
        return tuple(a for a in self.outputs if a.is_active)

    @cached_property
    def solutions(self) -> tuple[tuple[str, int, int], ...]:
        """How shapes give the integers: (name, number of the input, axis), in an order in which each can be solved."""
        found: list[tuple[str, int, int]] = []
        axes = [(i, k, d) for i, a in enumerate(self.inputs) for k, d in enumerate(a.dimensions)]
        while True:
            known = {name for name, _, _ in found}
            open_axes = [(i, k, d) for i, k, d in axes if len(d.names - known) == 1 and _is_linear(d)]
            if not open_axes:
                return tuple(found)
            i, k, dimension = min(open_axes, key=lambda axis: (axis[2].text not in axis[2].names, axis[:2]))
            (name,) = dimension.names - known
            found.append((name, i, k))

    @property
    def taken(self) -> tuple[Parameter | Size, ...]:
        """What the function itself takes, in C's order."""
        return tuple(p for p in self.parameters if _is_taken(p))

    @cached_property
    def passed_sizes(self) -> tuple[Size, ...]:
        """The dimensions that no input's shape gives: the caller passes them."""
        solved = {name for name, _, _ in self.solutions}
        return tuple(size for size in self.sizes if size.name not in solved)

    @cached_property
    def call_parameters(self) -> tuple[Parameter | Size, ...]:
        """What the caller passes, dimensions included, in C's order."""
        return tuple(p for p in self.parameters if p in self.inputs or p in self.passed_sizes)

    def solve(self, shapes: Sequence[tuple[int, ...]], passed: Mapping[str, int] | None = None) -> dict[str, int]:
        """Returns the values of all dimensions from the shapes of `inputs` and from those that are passed.

        Raises `ValueError` if the shapes do not fit the signature or each other.
        """
        sizes = dict(passed or {})
        for a, shape in zip(self.inputs, shapes, strict=True):
            if len(shape) != len(a.dimensions):
                raise ValueError(f"{a.name}: wanted {len(a.dimensions)} dimensions, {a}; got shape {shape}")
        for name, i, axis in self.solutions:
            value = self.inputs[i].dimensions[axis].solved(name, shapes[i][axis], sizes)
            if value is None:
                raise ValueError(
                    f"{self.inputs[i].name}: no integer {name} gives the shape {self.inputs[i]}; got {shapes[i]}"
                )
            sizes[name] = value
        for a, shape in zip(self.inputs, shapes, strict=True):
            if a.shape(sizes) != tuple(shape):
                values = ", ".join(
                    f"{name} = {sizes[name]}" for name in sorted({n for d in a.dimensions for n in d.names})
                )
                given = f" with {values}" if values else ""
                raise ValueError(f"{a.name}: wanted {a}{given}, shape {a.shape(sizes)}; got shape {tuple(shape)}")
        return sizes

    def __str__(self) -> str:
        return f"{self.signature}\n  of {self.prototype}"


def _is_taken(p: Parameter | Size) -> bool:
    return not p.is_free if isinstance(p, Size) else p.name != RETURN and p.variable is None


def _is_linear(dimension: Extent) -> bool:
    """True if the expression is linear in each parameter: then differences of its values are constant."""
    at = [dict.fromkeys(dimension.names, value) for value in (0, 1, 2, 3)]
    values = [dimension.value(sizes) for sizes in at]
    return values[1] - values[0] == values[2] - values[1] == values[3] - values[2] != 0


def join(
    prototype: CPrototype, signature: ArraySignature | None, variables: Mapping[str, LibraryVariable]
) -> Interface:
    """Returns the interface of the function. Without a signature, the prototype gives one.

    `variables` are those of the program that the signature may name. Raises `SignatureError` with both and a signature
    to start from.
    """
    any_shape = signature is None and not any(type_.descriptor_rank for _, type_ in prototype.parameters)
    try:
        signature = signature or derived(prototype)
        parameters = tuple(_parameters(prototype, signature, variables))
        return _checked(Interface(prototype, signature, parameters, any_shape))
    except _Unfit as unfit:
        lines = [f"{prototype.name}: {unfit}", f"  prototype: {prototype}"]
        lines += [f"  signature: {signature}"] if signature is not None else []
        raise SignatureError("\n".join([*lines, f"  {_way_out(prototype)}"])) from None


def _way_out(prototype: CPrototype) -> str:
    types = [type_ for _, type_ in prototype.parameters]
    if any(t.element is None and not (t.function or t.is_text or t.text.startswith(UNKNOWN)) for t in types):
        return f"remedy: write a function of numbers and arrays that calls {prototype.name}"
    return f"start from: {suggestion(prototype)}"


class _Unfit(Exception):
    """Why a signature does not fit a prototype."""


def _parameters(
    prototype: CPrototype, signature: ArraySignature, variables: Mapping[str, LibraryVariable]
) -> list[Parameter | Size]:
    names = [name for name, _ in prototype.parameters]
    declared = [p.name for p in signature.parameters if p.variable is None]
    if len(names) != len(declared) or any(
        name not in (d, unnamed(i)) for i, (name, d) in enumerate(zip(names, declared, strict=True), 1)
    ):
        raise _Unfit(
            f"the function's parameters are {', '.join(names) or 'none'}; the signature has {', '.join(declared)}"
        )
    written = [q for p in signature.parameters for q in (p, *_free_of_own(p))]
    used = {n for p in written for d in p.dimensions or () for n in d.names}
    types = (type_ for _, type_ in prototype.parameters)
    parameters = [
        _parameter(p, next(types), p.name in used)
        if p.variable is None
        else _of_variable(p, p.variable, variables, prototype)
        for p in signature.parameters
    ]
    parameters += [Size(name, NUMBERS["int64"], is_free=True) for name in sorted(used - set(declared))]
    if signature.result is not None:
        if prototype.result.element is None or prototype.result.is_pointer:
            raise _Unfit(f"the function returns {prototype.result.text}, which cannot be an output")
        parameters.append(Parameter(RETURN, RETURN, prototype.result.element, (), False))
    return parameters


def _parameter(p: WrittenParameter, type_: CType, is_dimension: bool) -> Parameter | Size:
    if p.callback is not None or p.role in (HANDLE, STRING):
        return _of_other(p, type_)
    is_open_type = type_.element is None and type_.text.startswith(UNKNOWN)
    element = NUMBERS[p.dtype] if is_open_type and p.dtype is not None else type_.element
    if element is None and is_open_type:
        raise _Unfit(f"there is no debug information: write a type before {p.name}, such as float64")
    if element is None:
        raise _Unfit(
            f"{p.name} has type {type_.text.removesuffix(' :: ')}, which is no number, struct or array of these"
        )
    if p.dtype is not None and p.dtype != element.dtype:
        raise _Unfit(f"{p.name} is {element.dtype}, not {p.dtype}")
    if is_dimension:
        if not isinstance(element, NumberType) or element.kind not in "iu" or p.dimensions is not None or p.role != IN:
            raise _Unfit(f"{p.name} is a dimension, so it must be an integer that is passed in")
        return Size(p.name, element, type_.is_pointer)
    if not type_.is_pointer and (p.dimensions or p.role in (OUT, INOUT)):
        raise _Unfit(f"{p.name} is passed by value, so it cannot be {'an array' if p.dimensions else p.role}")
    if type_.is_const and type_.is_pointer and p.role in (OUT, INOUT):
        raise _Unfit(f"{p.name} is {type_.text.removesuffix(' :: ')}, so it cannot be {p.role}")
    dimensions = p.dimensions or ()
    if type_.descriptor_rank not in (0, len(dimensions)):
        raise _Unfit(f"{p.name} has {type_.descriptor_rank} dimensions")
    return Parameter(p.name, p.role, element, dimensions, type_.is_pointer, type_.descriptor_rank > 0)


def _of_other(p: WrittenParameter, type_: CType) -> Parameter:
    """Returns what is no number and no array of numbers: a callback, a handle or a string."""
    if p.callback is not None:
        return Parameter(p.name, CONST, POINTER, (), False, callback=_of_callback(p, p.callback, type_))
    is_string = p.role == STRING
    if not (type_.is_text or type_.is_c_text) if is_string else not type_.is_pointer or p.dimensions is not None:
        raise _Unfit(f"{p.name} is {type_.text.removesuffix(' :: ')}, which is no {p.role}")
    if is_string:
        return Parameter(p.name, CONST, NUMBERS["int8"], p.dimensions or (), text=(type_.lengths or (0,))[0] or 0)
    return Parameter(p.name, CONST, POINTER, (), False)


def _free_of_own(p: WrittenParameter) -> Iterator[WrittenParameter]:
    """Yields the parameters of a callback, if it is one: their dimensions may be integers of the function."""
    parameters = p.callback.parameters if p.callback is not None else ()
    own = {q.name for q in parameters}
    for q in parameters:
        outer = tuple(d for d in q.dimensions or () if not d.names & own)
        yield q._replace(dimensions=outer)


def _of_callback(p: WrittenParameter, written: ArraySignature, type_: CType) -> Interface:
    """Returns the interface of a function that the caller passes."""
    if not type_.function:
        raise _Unfit(f"{p.name} is {type_.text.removesuffix(' :: ')}, which is no pointer to a function")
    prototype = _in_fortran(p.name, written) if type_.is_fortran_procedure else _in_c(p.name, written, type_.function)
    signature = ArraySignature(written.parameters, None if prototype.result.is_void else "")
    if written.result is not None and prototype.result.is_void:
        raise _Unfit(f"{p.name} returns nothing, {type_.text}; the signature has {p}")
    interface = Interface(prototype, signature, tuple(_parameters(prototype, signature, {})))
    unfit = [a for a in interface.arguments if not isinstance(a.element, NumberType) or a.role == INOUT or a.callback]
    unfit += [a for a in interface.arguments if not a.is_pointer and a.element.kind == "c"]
    if unfit:
        raise _Unfit(f"{unfit[0].name} of {p.name} must be a number or an array of these that is const, in or out")
    if not interface.outputs:
        raise _Unfit(f"{p.name} has no output: write out before a parameter, or -> return before its closing bracket")
    return interface


def _in_c(name: str, written: ArraySignature, function: tuple[CType, ...]) -> CPrototype:
    """Returns the prototype of a callback, whose types are known."""
    result, *types = function
    names = [q.name for q in written.parameters]
    if len(types) != len(names):
        raise _Unfit(f"{name} has {len(types)} parameters; the signature has {', '.join(names)}")
    return CPrototype(name, "", "c", result, tuple(zip(names, types, strict=True)))


def _in_fortran(name: str, written: ArraySignature) -> CPrototype:
    """Returns the prototype of a dummy procedure. Debug information does not describe it: the signature does.

    Without a type, an integer that is a dimension is int32, and all else is float64.
    """
    sizes = {n for q in written.parameters for d in q.dimensions or () for n in d.names}

    def type_of(dtype: str | None, is_pointer: bool) -> CType:
        return CType(f"{dtype} :: " if is_pointer else str(dtype), NUMBERS[dtype or "float64"], is_pointer)

    parameters = [
        (q.name, type_of(q.dtype or ("int32" if q.name in sizes else "float64"), is_pointer=True))
        for q in written.parameters
    ]
    result = VOID if written.result is None else type_of(written.result or "float64", is_pointer=False)
    return CPrototype(name, "", "fortran", result, tuple(parameters))


def _of_variable(
    p: WrittenParameter, name: str, variables: Mapping[str, LibraryVariable], prototype: CPrototype
) -> Parameter:
    try:
        found = variable_called(name, variables)
    except LookupError as error:
        raise _Unfit(str(error)) from None
    element, lengths = found.type.element, found.type.lengths
    if element is None or None in lengths or (found.type.is_pointer and not lengths):
        raise _Unfit(f"{found.name} has type {found.type.text}, which is no number, struct or array of known size")
    if len(lengths) > 1 and found.is_fortran != prototype.is_fortran:
        raise _Unfit(f"{found.name} has its elements in another order than the arrays of {prototype.name}")
    return Parameter(p.name, p.role, element, tuple(Extent(str(n)) for n in lengths), variable=found)


def _checked(interface: Interface) -> Interface:
    if not interface.outputs:
        raise _Unfit("there is no output: write out or inout before a parameter, or -> return at the end")
    return interface


def derived(prototype: CPrototype) -> ArraySignature:
    """Returns the signature that follows from the prototype alone.

    - An integer directly behind an array is its number of elements. An array without one has that of the first array.
    - An array with a descriptor (Fortran's `u(:)`) has the caller's shape, and an output that of the first one.
    - If the function returns nothing, the last pointer is the output, shaped as the first input.
    - All other parameters are inputs.
    """
    parameters = list(prototype.parameters)
    arrays = [i for i, (_, t) in enumerate(parameters) if t.is_pointer and not _is_size(parameters, i)]
    is_void = prototype.result.is_void
    output = arrays[-1] if is_void and arrays else None
    if output is not None and (parameters[output][1].is_const or len(arrays) < 2):
        raise _Unfit("the prototype does not show which parameter is the output")
    first = next((parameters[i + 1][0] for i in arrays if _is_size(parameters, i + 1) and i != output), None)
    has_own_shape = all(parameters[i][1].descriptor_rank for i in arrays)
    if arrays and first is None and not has_own_shape:
        raise _Unfit("the prototype does not show how many elements the arrays have")
    declared = []
    for i, (name, type_) in enumerate(parameters):
        count = parameters[i + 1][0] if i in arrays and _is_size(parameters, i + 1) and i != output else first
        dimensions: tuple[Extent, ...] | None = (Extent(str(count)),) if i in arrays else None
        if i in arrays and type_.descriptor_rank:
            like = parameters[arrays[0]] if i == output else parameters[i]
            dimensions = free_dimensions(like[0], type_.descriptor_rank)
        role = OUT if i == output else IN
        if type_.element is None:
            raise _Unfit(f"{name} has type {type_.text.removesuffix(' :: ')}")
        declared.append(WrittenParameter(name, role, dimensions))
    return ArraySignature(tuple(declared), None if is_void else "")


def _is_size(parameters: Sequence[tuple[str, CType]], i: int) -> bool:
    """True if the parameter is an integer directly behind an array."""
    if not 0 < i < len(parameters) or not parameters[i][1].is_integer:
        return False
    type_, before = parameters[i][1], parameters[i - 1][1]
    by_reference = " :: " in type_.text
    return before.is_pointer and not before.is_integer and (by_reference or not type_.is_pointer)


def suggestion(prototype: CPrototype) -> str:
    """Returns a signature to start from: it names all parameters, and guesses their dimensions."""
    parameters = list(prototype.parameters)
    integers = [name for i, (name, t) in enumerate(parameters) if _is_size(parameters, i)]
    pointers = [name for i, (name, t) in enumerate(parameters) if t.is_pointer and not _is_size(parameters, i)]
    parts = []
    for i, (name, type_) in enumerate(parameters):
        if type_.function:
            inside = ["…"] if type_.is_fortran_procedure else map(unnamed, range(1, len(type_.function)))
            parts.append(f"callback {name}({', '.join(inside)})")
            continue
        if type_.is_text or (type_.is_c_text and type_.is_const):
            parts.append(f"string {name}")
            continue
        if name not in pointers:
            parts.append(name)
            continue
        behind = parameters[i + 1][0] if _is_size(parameters, i + 1) else (integers[0] if integers else "1")
        if type_.descriptor_rank:
            behind = ",".join(":" * type_.descriptor_rank)
        is_output = prototype.result.is_void and name == pointers[-1] and not type_.is_const
        scalar = " :: " in type_.text and not type_.lengths
        dtype = "float64 " if type_.text.startswith(UNKNOWN) else ""
        parts.append(("out " if is_output else "") + dtype + (name if scalar else f"{name}[{behind}]"))
    return repr(", ".join(parts) + ("" if prototype.result.is_void else " -> return"))
