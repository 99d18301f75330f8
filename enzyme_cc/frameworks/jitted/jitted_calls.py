"""LoadedDerivatives as functions that Python and other jitted functions call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from msgspec import Struct
from numba.core import cgutils, types
from numba.core.dispatcher import Dispatcher
from numba.extending import intrinsic, overload

from enzyme_cc.functions.errors import CompileError, SignatureError

from .jitted_arguments import ArgumentLeaf, contiguous, leaves, number_type
from .jitted_entries import FORWARD, REVERSE, LoadedDerivatives, derivatives
from .jitted_module import lower


class Typed(Struct, frozen=True):
    """A jitted function for one list of argument types, with its derivatives."""

    dispatcher: Dispatcher
    arguments: tuple[types.Type, ...]
    result: types.Type
    leaves: tuple[ArgumentLeaf, ...]
    derivatives: LoadedDerivatives

    @property
    def active(self) -> list[ArgumentLeaf]:
        """The leaves with a derivative."""
        return [leaf for leaf in self.leaves if leaf.number is not None]

    def call(self, mode: str) -> Callable[..., int]:
        """Returns a function for jitted code: (arguments, (shadow arrays…, result, shadow of it)) -> status."""
        symbol, arguments = self.derivatives.symbols[mode], self.arguments

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            given = cgutils.unpack_tuple(builder, values[0])
            words = list(context.get_arg_packer(arguments).as_arguments(builder, given))
            arrays = cgutils.unpack_tuple(builder, values[1])
            for type_, array in zip(signature.args[1], arrays, strict=True):
                words.append(context.make_array(type_)(context, builder, array).data)
            prototype = ir.FunctionType(ir.IntType(32), [word.type for word in words])
            entry = cgutils.get_or_insert_function(builder.module, prototype, symbol)
            return builder.call(entry, words)

        @intrinsic  # type: ignore[untyped-decorator]
        def call(typing_context: Any, given: Any, arrays: Any) -> Any:
            return types.int32(given, arrays), generate

        return call  # type: ignore[no-any-return]


#: never emptied: loaded libraries stay in memory too
_made: dict[tuple[Dispatcher, tuple[types.Type, ...]], Typed] = {}


def typed(dispatcher: Dispatcher, given: Sequence[types.Type]) -> Typed:
    """Compiles and differentiates the function for these argument types.

    Raises Numba's errors, `SignatureError` and `CompileError`.
    """
    arguments = tuple(contiguous(type_) for type_ in given)
    key = dispatcher, arguments
    if key not in _made:
        _made[key] = _typed(dispatcher, arguments)
    return _made[key]


def _typed(dispatcher: Dispatcher, arguments: tuple[types.Type, ...]) -> Typed:
    context = dispatcher.targetctx
    found = tuple(leaf for i, type_ in enumerate(arguments) for leaf in leaves(context, type_, f"args[{i}]"))
    lowered = lower(dispatcher, arguments)
    try:
        made = derivatives(lowered, found)
    except CompileError:
        made = derivatives(lower(dispatcher, arguments, debug=True), found)  # raises with lines
    return Typed(dispatcher, arguments, lowered.result, found, made)


class _Body(Struct, frozen=True, dict=True):
    """The Python text of a derivative for one list of argument types.

    In the text, `given` are the arguments, and `args` copies of them: a function may change its arrays. `shadow0` and
    so on are the shadows of the active leaves.
    """

    of: Typed

    @cached_property
    def shadows(self) -> dict[str, str]:
        """ArgumentLeaf's expression -> name of the array that is its shadow."""
        return {leaf.expression: f"shadow{i}" for i, leaf in enumerate(self.of.active)}

    @property
    def is_scalar(self) -> bool:
        """Whether the function returns one number."""
        return not isinstance(self.of.result, types.Array)

    @property
    def copy(self) -> str:
        """The statement that makes `args` of `given`."""
        return f"args = {self._copied(types.Tuple(self.of.arguments), 'given')}"

    def _copied(self, type_: types.Type, expression: str) -> str:
        if isinstance(type_, types.BaseNamedTuple):
            return expression
        if isinstance(type_, types.BaseTuple):
            return _tuple(self._copied(element, f"{expression}[{i}]") for i, element in enumerate(type_))
        if isinstance(type_, types.Array) and number_type(type_.dtype):
            return f"np.{'asfortranarray' if type_.layout == 'F' else 'ascontiguousarray'}({expression}.copy())"
        return expression

    @property
    def zeros(self) -> list[str]:
        """Statements that make shadows of zeros."""
        return [
            f"{name} = np.zeros_like({leaf.expression})" if leaf.is_array else f"{name} = np.zeros(1, np.{leaf.type})"
            for leaf, name in zip(self.of.active, self.shadows.values(), strict=True)
        ]

    @property
    def results(self) -> list[str]:
        """Statements that make `result`, and its shadow `other` of zeros."""
        if self.is_scalar:
            return [f"result = np.zeros(1, np.{self.of.result})", "other = np.zeros_like(result)"]
        made = f"np.empty(function(*args).shape, np.{self.of.result.dtype})"
        return [self.copy, f"result = {made}", "other = np.zeros_like(result)", self.copy]

    def call(self, mode: str) -> list[str]:
        """Statements that compute the derivative. An exception is raised again by the function itself."""
        arrays = _tuple([*self.shadows.values(), "result", "other"])
        raised = ["    function(*given)", "    raise RuntimeError('the function raised an exception')"]
        return [f"if {mode}(args, {arrays}) != 0:", *raised]

    @property
    def value(self) -> str:
        """The expression of the function's value."""
        return "result[0]" if self.is_scalar else "result"

    def parts(self, part: Callable[[ArgumentLeaf, str], str]) -> str:
        """Returns an expression of a part for each argument that has a derivative: alone, or a tuple of all."""
        found = [text for i in range(len(self.of.arguments)) if (text := self._part(i, part)) is not None]
        return found[0] if len(found) == 1 else _tuple(found)

    def _part(self, i: int, part: Callable[[ArgumentLeaf, str], str]) -> str | None:
        return self._nested(self.of.arguments[i], f"args[{i}]", part)

    def _nested(self, type_: types.Type, expression: str, part: Callable[[ArgumentLeaf, str], str]) -> str | None:
        if isinstance(type_, types.BaseTuple):
            parts = [self._nested(element, f"{expression}[{i}]", part) for i, element in enumerate(type_)]
            return _tuple(text for text in parts if text is not None) if any(parts) else None
        leaf = next((leaf for leaf in self.of.active if leaf.expression == expression), None)
        return None if leaf is None else part(leaf, self.shadows[expression])


def _tuple(texts: Iterable[str]) -> str:
    return f"({''.join(f'{text}, ' for text in texts)})"


def _shadow(leaf: ArgumentLeaf, name: str) -> str:
    return name if leaf.is_array else f"{name}[0]"


def _reverse(body: _Body, returned: str) -> list[str]:
    if not isinstance(body.of.result, types.Float):
        raise SignatureError(
            f"{body.of.dispatcher.py_func.__name__} returns {body.of.result}; a gradient needs a function that returns"
            " a float\n  remedy: use enzyme_cc.numba.jacobian"
        )
    lines = [body.copy, *body.zeros, *body.results, "other[0] = 1", *body.call(REVERSE)]
    return [*lines, f"return {returned}{body.parts(_shadow)}"]


def _gradient(body: _Body) -> list[str]:
    return _reverse(body, "")


def _value_and_gradient(body: _Body) -> list[str]:
    return _reverse(body, "result[0], ")


def _jvp(body: _Body) -> list[str]:
    tangents = [
        f"{name}[...] = {tangent}" if leaf.is_array else f"{name}[0] = {tangent}"
        for leaf, name, tangent in zip(body.of.active, body.shadows.values(), _tangents(body), strict=True)
    ]
    lines = [body.copy, *body.zeros, *body.results, *tangents, *body.call(FORWARD)]
    return [*lines, f"return {body.value}, {'other[0]' if body.is_scalar else 'other'}"]


def _tangents(body: _Body) -> list[str]:
    """The expression of each active leaf's tangent, where `tangents` has one for each argument with a derivative."""
    found: list[str] = []

    def walk(type_: types.Type, expression: str, tangent: str) -> bool:
        if isinstance(type_, types.BaseTuple):
            taken = 0
            for i, element in enumerate(type_):
                taken += walk(element, f"{expression}[{i}]", f"{tangent}[{taken}]")
            return taken > 0
        if expression in body.shadows:
            found.append(tangent)
        return expression in body.shadows

    walk(types.Tuple(body.of.arguments), "args", "tangents")
    return found


def _jacobian(body: _Body) -> list[str]:
    if any(leaf.is_complex for leaf in body.of.active):
        raise SignatureError(
            f"{body.of.dispatcher.py_func.__name__} has a complex argument; a Jacobian needs real ones\n"
            "  remedy: use enzyme_cc.numba.jvp, or pass real and imaginary parts"
        )
    shadows = list(body.shadows.values())
    matrices = [f"{name}_matrix = np.empty((result.size, {name}.size), {name}.dtype)" for name in shadows]
    zeros = [f"    {name}.fill(0)" for name in shadows]
    rows = ["for k in range(result.size):", f"    {body.copy}", *zeros, "    other.fill(0)", "    other.flat[k] = 1"]
    rows += [f"    {line}" for line in body.call(REVERSE)]
    rows += [f"    {name}_matrix[k, :] = {name}.ravel()" for name in shadows]
    columns = []
    for name in shadows:
        columns += [f"for k in range({name}.size):", f"    {body.copy}", *zeros, "    other.fill(0)"]
        columns += [f"    {name}.flat[k] = 1", *(f"    {line}" for line in body.call(FORWARD))]
        columns += [f"    {name}_matrix[:, k] = other.ravel()"]

    def shaped(leaf: ArgumentLeaf, name: str) -> str:
        shape = "()" if body.is_scalar else "result.shape"
        whole = f"{name}_matrix.reshape({shape} + {leaf.expression}.shape)"
        if leaf.is_array:
            return whole
        return f"{name}_matrix[0, 0]" if body.is_scalar else f"{name}_matrix.reshape(result.shape)"

    lines = [body.copy, *body.zeros, *body.results, *matrices]
    lines += [f"if result.size <= {' + '.join(f'{name}.size' for name in shadows)}:", *(f"    {x}" for x in rows)]
    return [*lines, "else:", *(f"    {line}" for line in columns), f"return {body.parts(shaped)}"]


def _function(dispatcher: Dispatcher, name: str, write: Callable[[_Body], list[str]]) -> Dispatcher:
    """Returns a jitted function of the same arguments, whose body `write` gives for their types."""

    def derivative(*given: Any) -> Any:
        raise NotImplementedError

    @overload(derivative, strict=False)  # type: ignore[untyped-decorator]
    def implementation(*given: types.Type) -> Any:
        arguments = given[0] if len(given) == 1 and isinstance(given[0], types.StarArgTuple) else given
        return _implementation(_Body(typed(dispatcher, tuple(arguments))), "*given", write)

    return _named(f"{name} of {dispatcher.py_func.__name__}", numba.njit(lambda *given: derivative(*given)))


def _directional(dispatcher: Dispatcher) -> Dispatcher:
    """Returns a jitted function of a tuple of arguments and a tuple of tangents."""

    def derivative(given: Any, tangents: Any) -> Any:
        raise NotImplementedError

    @overload(derivative, strict=False)  # type: ignore[untyped-decorator]
    def implementation(given: types.Type, tangents: types.Type) -> Any:
        if not isinstance(given, types.BaseTuple) or not isinstance(tangents, types.BaseTuple):
            raise SignatureError("jvp takes a tuple of arguments and a tuple of tangents")
        return _implementation(_Body(typed(dispatcher, tuple(given))), "given, tangents", _jvp)

    return _named(
        f"jvp of {dispatcher.py_func.__name__}", numba.njit(lambda given, tangents: derivative(given, tangents))
    )


def _named(name: str, dispatcher: Dispatcher) -> Dispatcher:
    dispatcher.__name__ = name
    return dispatcher


def _implementation(body: _Body, parameters: str, write: Callable[[_Body], list[str]]) -> Callable[..., Any]:
    if not body.of.active:
        raise SignatureError(
            f"{body.of.dispatcher.py_func.__name__} has no argument with a derivative:"
            f" {', '.join(map(str, body.of.arguments))}"
        )
    text = "\n".join([f"def implementation({parameters}):", *(f"    {line}" for line in write(body))])
    names: dict[str, Any] = {"np": np, "function": body.of.dispatcher}
    names |= {mode: body.of.call(mode) for mode in (REVERSE, FORWARD)}
    exec(text, names)
    return names["implementation"]  # type: ignore[no-any-return]


def gradient(dispatcher: Dispatcher) -> Dispatcher:
    """Returns the gradient as a jitted function."""
    return _function(dispatcher, "gradient", _gradient)


def value_and_gradient(dispatcher: Dispatcher) -> Dispatcher:
    """Returns the function that gives the value and the gradient, as a jitted function."""
    return _function(dispatcher, "value and gradient", _value_and_gradient)


def jacobian(dispatcher: Dispatcher) -> Dispatcher:
    """Returns the Jacobian as a jitted function."""
    return _function(dispatcher, "Jacobian", _jacobian)


def jvp(dispatcher: Dispatcher) -> Dispatcher:
    """Returns the directional derivative as a jitted function."""
    return _directional(dispatcher)
