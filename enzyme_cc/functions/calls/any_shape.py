"""Functions without a signature: arrays of any shape, which C sees as their elements in a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..interface import Parameter
from .argnums import Argnums, chosen, of_hessian, of_jacobian
from .conversion import as_array
from .differentiable import DifferentiableFunction

if TYPE_CHECKING:
    from .checking import CheckReport


class AnyShapeFunction(DifferentiableFunction):
    """A differentiable function of arrays of any shape: outputs have the shape of the first array.

    Derivatives have the shape of their input.
    """

    def __call__(self, *inputs: Any, out: Any = None, **named: Any) -> Any:
        """Returns the outputs. `out` is an array, or a tuple of arrays, that the outputs are written to."""
        flat, shapes = self._flat(self._all(inputs, named))
        if out is not None:
            out = tuple(o.reshape(-1) for o in (out if isinstance(out, tuple) else (out,)))
        return self._outputs(super().__call__(*flat, out=out), shapes)

    @property
    def value_and_grad(self) -> Callable[..., Any]:
        """`f.value_and_grad(*inputs)` returns (value, gradient). It needs one real output of one element."""
        return self._value_and_grad

    def _value_and_grad(self, *inputs: Any, argnums: Argnums | None = None, **named: Any) -> Any:
        flat, shapes = self._flat(self._all(inputs, named))
        value, gradient = super().value_and_grad(*flat)
        return value, self._chosen(argnums, self._inputs(gradient, shapes))

    @property
    def grad(self) -> Callable[..., Any]:
        """`f.grad(*inputs)` returns the gradient. It needs one real output of one element."""
        return self._grad

    def _grad(self, *inputs: Any, argnums: Argnums | None = None, **named: Any) -> Any:
        flat, shapes = self._flat(self._all(inputs, named))
        return self._chosen(argnums, self._inputs(super().grad(*flat), shapes))

    def _chosen(self, argnums: Argnums | None, gradients: Any) -> Any:
        return gradients if argnums is None else chosen(self.interface, argnums, gradients)

    def vjp(self, *inputs: Any, **named: Any) -> Callable[..., Any]:
        """Returns a function of the outputs' cotangents: the vector-Jacobian product."""
        flat, shapes = self._flat(self._all(inputs, named))
        pullback = super().vjp(*flat)
        return lambda *cotangents: self._inputs(pullback(*map(_row, cotangents)), shapes)

    def jvp(self, inputs: Any, tangents: Any) -> Any:
        """Returns (outputs, tangents of the outputs): the Jacobian-vector product."""
        flat, shapes = self._flat(inputs if isinstance(inputs, tuple) else (inputs,))
        rows = tuple(map(_row, tangents if isinstance(tangents, tuple) else (tangents,)))
        values, slopes = super().jvp(tuple(flat), rows)
        return self._outputs(values, shapes), self._outputs(slopes, shapes)

    def hvp(self, *inputs_and_vector: Any) -> Any:
        """`f.hvp(*inputs, v)` returns the product of the Hessian and a vector."""
        *inputs, vector = inputs_and_vector
        flat, shapes = self._flat(inputs)
        rows = tuple(map(_row, vector)) if isinstance(vector, tuple) else _row(vector)
        return self._inputs(super().hvp(*flat, rows), shapes)

    def jacobian(self, *inputs: Any, sparsity: Any = None, argnums: Argnums | None = None) -> Any:
        """Returns arrays of shape output.shape + input.shape; with `sparsity`, a sparse matrix of all elements."""
        flat, shapes = self._flat(inputs)
        blocks = super().jacobian(*flat, sparsity=sparsity)
        if sparsity is not None:
            return blocks
        return of_jacobian(self.interface, argnums, self._blocks(blocks, self.interface.active_outputs, shapes))

    def hessian(self, *inputs: Any, argnums: Argnums | None = None) -> Any:
        """Returns arrays of shape input.shape + input.shape."""
        flat, shapes = self._flat(inputs)
        blocks = self._blocks(super().hessian(*flat), self.interface.active_inputs, shapes)
        return of_hessian(self.interface, argnums, blocks)

    def check(self, *inputs: Any, directions: int = 3, seed: int = 0) -> CheckReport:
        """Compares the derivatives with central differences in random directions."""
        return super().check(*self._flat(inputs)[0], directions=directions, seed=seed)

    # -- shapes

    def _blocks(self, blocks: Any, rows: Sequence[Parameter], shapes: dict[str, tuple[int, ...]]) -> Any:
        first = next(iter(shapes.values()), ())
        columns = self.interface.active_inputs
        lines = blocks if len(rows) > 1 else (blocks,)
        shaped = []
        for row, line in zip(rows, lines, strict=True):
            shape = shapes.get(row.name, first) if row.dimensions else ()
            parts = zip(columns, line if len(columns) > 1 else (line,), strict=True)
            cells = tuple(part.reshape(shape + shapes.get(column.name, ())) for column, part in parts)
            shaped.append(cells if len(columns) > 1 else cells[0])
        return tuple(shaped) if len(rows) > 1 else shaped[0]

    def _all(self, inputs: Sequence[Any], named: dict[str, Any]) -> Sequence[Any]:
        names = [p.name for p in self.interface.call_parameters][len(inputs) :]
        return [*inputs, *(named[name] for name in names if name in named)] if named else inputs

    def _flat(self, inputs: Sequence[Any]) -> tuple[list[Any], dict[str, tuple[int, ...]]]:
        """Returns the inputs with arrays as rows, and the shapes of the arrays by name."""
        shapes = {}
        flat = list(inputs)
        for i, (p, value) in enumerate(zip(self.interface.call_parameters, inputs, strict=False)):
            array = as_array(value) if isinstance(p, Parameter) and p.dimensions else None
            if array is not None:
                shapes[p.name], flat[i] = array.shape, array.reshape(-1)
        return flat, shapes

    def _outputs(self, values: Any, shapes: dict[str, tuple[int, ...]]) -> Any:
        first = next(iter(shapes.values()), ())
        several = values if isinstance(values, tuple) else (values,)
        shaped = tuple(v.reshape(first) if getattr(v, "ndim", 0) else v for v in several)
        return shaped if isinstance(values, tuple) else shaped[0]

    def _inputs(self, values: Any, shapes: dict[str, tuple[int, ...]]) -> Any:
        several = values if isinstance(values, tuple) else (values,)
        owners = zip(self.interface.active_inputs, several, strict=True)
        shaped = tuple(v.reshape(shapes[p.name]) if p.name in shapes else v for p, v in owners)
        return shaped if isinstance(values, tuple) else shaped[0]


def _row(value: Any) -> Any:
    array = as_array(value)
    return value if array is None or not array.ndim else array.reshape(-1)
