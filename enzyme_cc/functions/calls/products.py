"""Calls of a compiled function and of its derivatives in one direction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from ..compiled import Compiled, EntryPoint, remade
from ..entry_points import (
    COTANGENT,
    GRADIENT,
    GRADIENT_TANGENT,
    HVP,
    JVP,
    OUTPUT,
    OUTPUT_TANGENT,
    PRIMAL,
    TANGENT,
    VJP,
)
from ..fast_call import FastCall
from ..interface import Interface
from .plans import CallPlan, ResultGroups


class CompiledFunction:
    """A compiled function of arrays, and its products with vectors: what Jacobians and checks are made of.

    `f(*inputs)` returns the output, or a tuple of outputs in C's order with the result last. Inputs are passed in C's
    order or by name; integers that are dimensions are not passed where the arrays' shapes give them. All methods may be
    called from many threads.

    Derivatives are built when their method is first used, which can raise `CompileError`. They are one array where one
    input has a derivative, else a tuple in the order of these inputs.
    """

    def __init__(self, built: Compiled) -> None:
        self.compiled = built
        self.interface: Interface = built.interface
        self.__name__ = built.interface.prototype.name

    def __reduce__(self) -> Any:
        """Another process gets the function by the same request: from the cache, if it has the same one."""
        return remade, (type(self), self.compiled.request, self.compiled.verbose)

    def __call__(self, *inputs: Any, out: Any = None, **named: Any) -> Any:
        """Returns the outputs. `out` is an array, or a tuple of arrays, that the outputs are written to."""
        if out is None:
            return self._primal(*inputs, **named)
        given = out if isinstance(out, tuple) else (out,)
        labels = [f"out {p.name}" for p in self.interface.outputs]
        if len(given) != len(labels):
            raise TypeError(f"out: wanted {len(labels)} arrays, got {len(given)}")
        return self._primal_into(*inputs, **named, **dict(zip(labels, given, strict=True)))

    @cached_property
    def _primal(self) -> FastCall:
        return self.plan(self.__name__, PRIMAL, (), (OUTPUT,))

    @cached_property
    def _primal_into(self) -> FastCall:
        return self.plan(self.__name__, PRIMAL, (OUTPUT,), (OUTPUT,))

    @cached_property
    def value_and_grad(self) -> Callable[..., Any]:
        """`f.value_and_grad(*inputs)` returns (value, gradient). It needs one real output of one element.

        `argnums` names the inputs of the gradient, as in `grad`.
        """
        return self._of_scalar("value_and_grad", (OUTPUT, GRADIENT))

    @cached_property
    def grad(self) -> Callable[..., Any]:
        """`f.grad(*inputs)` returns the gradient. The function must have one real output of one element.

        `argnums` is a position among the inputs as they are passed, or a name: the gradient is with respect to this
        input alone. A sequence gives a tuple of gradients.
        """
        return self._of_scalar("grad", (GRADIENT,))

    @cached_property
    def _pullback(self) -> FastCall:
        return self.plan("vjp", VJP, (COTANGENT,), (GRADIENT,))

    def vjp(self, *inputs: Any, **named: Any) -> Callable[..., Any]:
        """Returns a function of the outputs' cotangents: the vector-Jacobian product.

        The inputs are not copied: they must not change before the function is called.
        """
        pullback = self._pullback

        def apply(*cotangents: Any) -> Any:
            """Returns the derivatives of the inputs for these cotangents, one for each output that has derivatives.

            None stands for zeros.
            """
            return self._named(pullback, inputs, named, cotangents) if named else pullback(*inputs, *cotangents)

        return apply

    @cached_property
    def _pushforward(self) -> FastCall:
        return self.plan("jvp", JVP, (TANGENT,), (OUTPUT, OUTPUT_TANGENT))

    def jvp(self, inputs: Any, tangents: Any) -> Any:
        """Returns (outputs, tangents of the outputs): the Jacobian-vector product.

        `inputs` and `tangents` are tuples, or one value each. There is a tangent for each input; those of inputs
        without derivative are ignored, and may be left out together. None stands for zeros.
        """
        given = inputs if isinstance(inputs, tuple) else (inputs,)
        return self._pushforward(*given, *self._active(tangents))

    def _active(self, tangents: Any) -> Sequence[Any]:
        """Returns the tangents of active inputs."""
        given = tangents if isinstance(tangents, tuple) else (tangents,)
        callers = self.interface.call_parameters
        if len(given) == len(callers) != len(self.interface.active_inputs):
            active = {p.name for p in self.interface.active_inputs}
            return [tangent for p, tangent in zip(callers, given, strict=True) if p.name in active]
        return given

    @cached_property
    def _second(self) -> FastCall:
        self._require_scalar("hvp")
        return self.plan("hvp", HVP, (TANGENT,), (GRADIENT_TANGENT,), is_seeded=True)

    def hvp(self, *inputs_and_vector: Any) -> Any:
        """`f.hvp(*inputs, v)` returns the product of the Hessian and a vector.

        `v` is one array where one input has a derivative, else a tuple of arrays. The result has the same form.
        """
        *inputs, vector = inputs_and_vector
        return self._second(*inputs, *self._active(vector))

    @cached_property
    def ctypes(self) -> Any:
        """The C function itself, as ctypes calls it, for callers of C functions such as `scipy.LowLevelCallable`.

        Raises `TypeError` for types that ctypes lacks.
        """
        from .c_function import c_function

        return c_function(self.compiled)

    # -- for methods, and for adapters of frameworks

    def entry_point(self, kind: str, width: int = 1) -> EntryPoint:
        """Returns a C entry point: primal, vjp, jvp or hvp. It is built where it is not in the cache."""
        return self.compiled.entry_point(kind, width)

    def plan(
        self,
        name: str,
        kind: str,
        groups: ResultGroups,
        results: ResultGroups,
        *,
        is_seeded: bool = False,
        width: int = 1,
    ) -> FastCall:
        """Returns a method that takes the inputs and `groups` beside them, and returns `results`."""
        point = self.entry_point(kind, width)
        return CallPlan(self.interface, name, point, groups, results, is_seeded, owner=self).fast_call()

    def _of_scalar(self, name: str, results: tuple[str, ...]) -> FastCall:
        self._require_scalar(name)
        return self.plan(name, VJP, (), results, is_seeded=True)

    def _require_scalar(self, name: str) -> None:
        outputs = self.interface.active_outputs
        if [p.element.kind for p in outputs] == ["f"] and outputs[0].has_one_element:
            return
        found = ", ".join(map(str, outputs)) or "none"
        raise TypeError(
            f"{name} needs one real output of one element; {self.__name__} has: {found}; use vjp or jacobian"
        )

    def _named(self, call: FastCall, inputs: Sequence[Any], named: dict[str, Any], others: Sequence[Any]) -> Any:
        names = [p.name for p in self.interface.call_parameters][len(inputs) :]
        missing = [name for name in names if name not in named]
        if missing or len(named) != len(names):
            raise TypeError(f"{self.__name__}: wanted {', '.join(names)} by name; got {', '.join(named)}")
        return call(*inputs, *(named[name] for name in names), *others)

    def __repr__(self) -> str:
        return f"<enzyme_cc.function {self.interface.signature} of {self.interface.prototype}>"
