"""Compiled functions as functions that Python and jitted functions call, and that can be differentiated there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from msgspec import Struct
from numba.core import cgutils, types
from numba.core.dispatcher import Dispatcher
from numba.extending import intrinsic, overload

from enzyme_cc.frameworks.applied_function import numbers_alone
from enzyme_cc.functions.array_signature import INOUT
from enzyme_cc.functions.calls.conversion import limits
from enzyme_cc.functions.calls.products import CompiledFunction
from enzyme_cc.functions.dimensions import Extent
from enzyme_cc.functions.errors import SignatureError
from enzyme_cc.functions.interface import Interface, Parameter, Size

from .linked_symbols import LinkedPart, define


def wrapped(function: CompiledFunction) -> Dispatcher:
    """Returns the function as a jitted function. Raises `SignatureError` and `CompileError`."""
    flat = function.compiled.flat()
    define({flat.symbol: flat.address}, LinkedPart(driver=flat.driver, linked=flat.linked))
    writer = _BodyOfCall(function.__name__, numbers_alone(function.interface))
    names = {"np": np, "call": _call(flat.symbol)}

    def placeholder(*given: Any) -> Any:
        raise NotImplementedError

    @overload(placeholder, strict=False)  # type: ignore[untyped-decorator]
    def implementation(*given: types.Type) -> Any:
        arguments = given[0] if len(given) == 1 and isinstance(given[0], types.StarArgTuple) else given
        defined = dict(names)
        exec("\n".join(["def implementation(*given):", *writer.lines(tuple(arguments))]), defined)
        return defined["implementation"]

    jitted = numba.njit(lambda *given: placeholder(*given))
    jitted.__name__ = function.__name__
    return jitted


def _call(symbol: str) -> Any:
    """Returns a function for jitted code: (tuple of arrays, numbers and sizes) -> status. It passes all by pointer."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        words = []
        given = cgutils.unpack_tuple(builder, values[0])
        for type_, value in zip(signature.args[0], given, strict=True):
            if isinstance(type_, types.Array):
                words.append(context.make_array(type_)(context, builder, value).data)
            elif type_ == types.int64:
                words.append(value)
            else:
                data = context.data_model_manager[type_].as_data(builder, value)
                words.append(cgutils.alloca_once_value(builder, data))
        prototype = ir.FunctionType(ir.IntType(32), [word.type for word in words])
        return builder.call(cgutils.get_or_insert_function(builder.module, prototype, symbol), words)

    @intrinsic  # type: ignore[untyped-decorator]
    def call(typing_context: Any, given: Any) -> Any:
        return types.int32(given), generate

    return call


class _BodyOfCall(Struct, frozen=True):
    """Writes the Python text of a call. In it, `a_x` is the argument `x`, and `n_x` the size `x`."""

    name: str
    interface: Interface

    def lines(self, given: Sequence[types.Type]) -> Iterator[str]:
        """Yields the statements for arguments of these types. Raises `SignatureError` if they do not fit."""
        interface, taken = self.interface, self.interface.call_parameters
        if len(given) != len(taken):
            wanted = ", ".join(p.name for p in taken)
            raise SignatureError(f"{self.name} takes {wanted}; got {len(given)} arguments\n  {interface}")
        for i, (p, type_) in enumerate(zip(taken, given, strict=True)):
            yield f"    {_name(p)} = {self._converted(p, type_, f'given[{i}]')}"
        yield from self._sizes()
        yield from self._checks()
        for p in interface.outputs:
            if p not in interface.inputs:
                yield f"    {_name(p)} = {self._zeros(p)}"
        passed = "".join(f"{_name(p)}, " for p in interface.parameters)
        yield f"    if call(({passed})) != 0:"
        yield f"        raise RuntimeError({f'{self.name}: the function threw a C++ exception'!r})"
        results = [self._result(p) for p in interface.outputs]
        yield f"    return {', '.join(results)}"

    def _converted(self, p: Parameter | Size, type_: types.Type, value: str) -> str:
        number = "int64" if isinstance(p, Size) else p.element.dtype
        if isinstance(p, Size) or not p.dimensions:
            kinds = {"f": (types.Integer, types.Float), "c": types.Number}
            if not isinstance(type_, kinds.get(p.element.kind, (types.Integer, types.Boolean))):
                raise SignatureError(f"{p.name}: wanted a number, {p.element.dtype}; got {type_}\n  {self.interface}")
            as_type = "bool" if number == "bool" else f"np.{number}"
            made = f"{as_type}({value})"
            return f"np.full(1, {made})" if isinstance(p, Parameter) and p.role == INOUT else made
        rank = None if self.interface.any_shape else len(p.dimensions)
        wanted = getattr(types, number if number != "bool" else "bool_")
        if not isinstance(type_, types.Array) or type_.dtype != wanted or rank not in (None, type_.ndim):
            raise SignatureError(f"{p.name}: wanted {p}; got {type_}\n  {self.interface}")
        copied = f"{value}.copy()" if p.role == INOUT else value
        if self.interface.any_shape:
            return f"np.ascontiguousarray({copied}).reshape({value}.size)"
        return f"np.{'asfortranarray' if self.interface.order == 'F' else 'ascontiguousarray'}({copied})"

    def _sizes(self) -> Iterator[str]:
        for name, i, axis in self.interface.solutions:
            p = self.interface.inputs[i]
            zero, one = (_expression(p.dimensions[axis], {name: number}) for number in "01")
            yield f"    n_{name} = ({_name(p)}.shape[{axis}] - ({zero})) // (({one}) - ({zero}))"
        for size in self.interface.sizes:
            least, most = limits(size.element)
            yield f"    if n_{size.name} < {least} or n_{size.name} > {most}:"
            yield f"        raise ValueError({f'{self.name}: {size.name} does not fit {size.element.c}'!r})"

    def _checks(self) -> Iterator[str]:
        for p in self.interface.inputs:
            if p.dimensions:
                yield f"    if {_name(p)}.shape != {_shape(p)}:"
                yield f"        raise ValueError({f'{p.name}: wanted {p}; the shape does not fit'!r})"

    def _zeros(self, p: Parameter) -> str:
        number = f"np.{p.element.dtype}" + "_" * (p.element.dtype == "bool")
        if self.interface.order == "F" and len(p.dimensions) > 1:
            return f"np.zeros({_shape(p)}[::-1], {number}).T"
        return f"np.zeros({_shape(p) if p.dimensions else '1'}, {number})"

    def _result(self, p: Parameter) -> str:
        if not p.dimensions:
            return f"{_name(p)}[0]"
        first = next((i for i, q in enumerate(self.interface.call_parameters) if q in self.interface.inputs), 0)
        return f"{_name(p)}.reshape(given[{first}].shape)" if self.interface.any_shape else _name(p)


def _name(p: Parameter | Size) -> str:
    return f"{'n' if isinstance(p, Size) else 'a'}_{p.name}"


def _shape(p: Parameter) -> str:
    return f"({''.join(f'{_expression(dimension, {})}, ' for dimension in p.dimensions)})"


def _expression(dimension: Extent, known: Mapping[str, str]) -> str:
    """Returns the expression in Python's terms; `known` replaces some sizes."""
    whole = re.sub(r"(?<!/)/(?!/)", "//", dimension.text)
    return re.sub(r"[A-Za-z_]\w*", lambda found: known.get(found[0], f"n_{found[0]}"), whole)
