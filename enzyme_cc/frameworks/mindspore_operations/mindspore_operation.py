"""The custom operators of MindSpore for a function and its derivatives, and their bprops.

MindSpore compiles the source of Python functions, and wants to know how many parameters a bprop has. So the functions
that it reads are written here, for each function. Tensors of the operators have the axes of memory: those of Fortran's
arrays are the other way round. Results that are numbers have one axis, since graphs make Python's numbers of others.
"""

from __future__ import annotations

import atexit
import tempfile
import textwrap
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from itertools import count
from pathlib import Path
from typing import Any

import mindspore
from mindspore import ops

from enzyme_cc.cache.entries import remove_tree
from enzyme_cc.frameworks.applied_function import AppliedFunction
from enzyme_cc.frameworks.derivative_rules import backward_rule
from enzyme_cc.functions.entry_points import HVP, JVP, PRIMAL, VJP
from enzyme_cc.functions.interface import Parameter

from .mindspore_kernel import kernel

_numbers = count()


def dtype(p: Parameter) -> Any:
    """Returns the tensor type of a parameter, or None if there is no such type."""
    return getattr(mindspore, p.element.dtype + "_" * (p.element.kind == "b"), None)


class CustomOperators:
    """The operators of one function with values of the integers that callers pass."""

    def __init__(self, applied: AppliedFunction) -> None:
        self._applied = applied

    @cached_property
    def primal(self) -> Any:
        """The operator that calls the function."""
        return self._operator(PRIMAL)

    @cached_property
    def _vjp(self) -> Any:
        return self._operator(VJP)

    @cached_property
    def _jvp(self) -> Any:
        return self._operator(JVP)

    @cached_property
    def _hvp(self) -> Any:
        return self._operator(HVP)

    def _operator(self, kind: str) -> Any:
        interface = self._applied.interface
        is_differentiable = bool(interface.active_inputs and interface.active_outputs)
        made = ops.Custom(
            kernel(self._applied, kind),
            out_shape=self._shapes(kind),
            out_dtype=self._types(kind),
            func_type="aot",
            bprop=self._bprop(kind) if is_differentiable else None,
        )
        made.add_prim_attr("enzyme_cc", f"{self._applied.function.compiled.identity} {kind} {self._applied.passed}")
        return made

    def _shapes(self, kind: str) -> Callable[..., Any]:
        applied = self._applied
        is_fortran = applied.interface.order == "F"

        def shapes(*given: Any) -> Any:
            turned = [tuple(shape)[::-1] if is_fortran else tuple(shape) for shape in given]
            found = applied.shapes(tuple(turned[: len(applied.interface.inputs)]))
            made = [found[p.name] for _, p in applied.results(kind)]
            result = tuple(list(shape[::-1] if is_fortran else shape) or [1] for shape in made)
            return result[0] if len(result) == 1 else result

        return shapes

    def _types(self, kind: str) -> Callable[..., Any]:
        wanted = [p for _, p in self._applied.arguments(kind)]
        result = tuple(dtype(p) for _, p in self._applied.results(kind))

        def types(*given: Any) -> Any:
            for p, x in zip(wanted, given, strict=True):
                got = x.element_type() if isinstance(x, mindspore.TensorType) else x
                if got != dtype(p):
                    raise TypeError(f"{p.name}: wanted {p}; got a tensor of {got}")
            return result[0] if len(result) == 1 else result

        return types

    # -- bprop

    def _bprop(self, kind: str) -> Any:
        text = "\n".join(["def bprop(" + ", ".join([*self._names(kind), "out", "dout"]) + "):", *self._body(kind), ""])
        known = {"zeros_like": ops.zeros_like}
        if kind != PRIMAL and kind != VJP:
            return compiled(text, "bprop", known)
        known |= {VJP: self._vjp} if kind == PRIMAL else {HVP: self._hvp, JVP: self._jvp}
        return compiled(text, "bprop", known)

    def _names(self, kind: str) -> list[str]:
        return [f"{group}_{i}" for i, (group, _) in enumerate(self._applied.arguments(kind))]

    def _body(self, kind: str) -> Iterator[str]:
        if kind not in (PRIMAL, VJP):
            name = self._applied.function.__name__
            message = f"{name}: derivatives above the second order are not supported under MindSpore"
            yield f"    raise NotImplementedError({message!r})"
            return
        groups = self._applied.split(kind, self._names(kind))
        results = self._applied.results(kind)
        cotangents = ["dout" if len(results) == 1 else f"dout[{i}]" for i, (_, p) in enumerate(results) if p.is_active]
        answers: list[str] = []
        for i, group in enumerate(groups):
            rule = backward_rule(kind, i)
            assert rule is not None
            behind = [x for vectors in rule.behind(groups[1:], cotangents) for x in vectors]
            yield f"    found_{i} = {rule.kind}({', '.join([*groups[0], *behind])})"
            on = [p.is_active for p in self._applied.interface.inputs] if i == 0 else [True] * len(group)
            values = results_of(f"found_{i}", [p for _, p in self._applied.results(rule.kind)])
            answers += [values.pop(0) if is_on else f"zeros_like({group[k]})" for k, is_on in enumerate(on)]
        yield f"    return ({', '.join(answers)},)"


def results_of(name: str, parameters: Sequence[Parameter]) -> list[str]:
    """Returns the expressions of an operator's results, numbers without axes."""
    each = [name] if len(parameters) == 1 else [f"{name}[{i}]" for i in range(len(parameters))]
    return [x if p.dimensions else f"{x}.reshape(())" for x, p in zip(each, parameters, strict=True)]


def compiled(text: str, name: str, known: dict[str, Any]) -> Any:
    """Returns the function that a text defines, whose source MindSpore finds. `known` are the other names in it."""
    file = Path(_folder(), f"functions_{next(_numbers)}.py")
    file.write_text(f"def made({', '.join(known)}):\n{textwrap.indent(text, '    ')}    return {name}\n")
    names: dict[str, Any] = {"__name__": __name__}
    exec(compile(file.read_text(), str(file), "exec"), names)
    return names["made"](**known)


@cache
def _folder() -> str:
    folder = tempfile.mkdtemp(prefix="enzyme-cc-")
    atexit.register(remove_tree, folder)
    return folder
