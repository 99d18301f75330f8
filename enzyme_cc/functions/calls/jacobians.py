"""Jacobians and Hessians: several directions at once, forward or reverse by which needs fewer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import prod
from typing import Any

from msgspec import Struct

from ..entry_points import COTANGENT, GRADIENT, JVP, OUTPUT_TANGENT, TANGENT, VJP
from ..errors import CompileError
from ..interface import Parameter
from .conversion import CallArgument, Converter
from .products import CompiledFunction

#: the numbers of directions of one pass
_WIDTHS = (4, 8)


class _Side(Struct, frozen=True, dict=True):
    """The active inputs, or the active outputs, of one call."""

    parameters: tuple[Parameter, ...]
    shapes: tuple[tuple[int, ...], ...]

    @cached_property
    def counts(self) -> list[int]:
        return [prod(shape) for shape in self.shapes]

    def arrays(self, rows: Any) -> list[Any]:
        """Returns the arrays whose elements are the columns of a matrix; each has a leading axis for the rows."""
        import numpy

        parts = numpy.split(rows, numpy.cumsum(self.counts)[:-1], axis=1)
        owners = zip(self.parameters, self.shapes, parts, strict=True)
        return [part.reshape(len(rows), *shape).astype(p.element.dtype) for p, shape, part in owners]


class _Call(Struct, frozen=True):
    """A function at given inputs."""

    f: CompiledFunction
    inputs: tuple[Any, ...]
    sources: _Side
    targets: _Side

    @classmethod
    def of(cls, f: CompiledFunction, given: Sequence[Any], name: str) -> _Call:
        inputs, sizes = converted_inputs(f, given)
        sides = [
            _Side(ps, tuple(p.shape(sizes) for p in ps))
            for ps in (f.interface.active_inputs, f.interface.active_outputs)
        ]
        for p in (*sides[0].parameters, *sides[1].parameters):
            if p.element.kind != "f":
                raise TypeError(f"{name} needs real arrays; {p.name} is {p.element.dtype}; use vjp or jvp")
        return cls(f, inputs, *sides)

    def sweep(self, is_forward: bool, count: int, rows: Callable[[int, int], Any]) -> list[Any]:
        """Returns the derivatives in `count` directions: for each found array a matrix, with a row for each direction.

        `rows(start, stop)` gives the seeds of these directions: a matrix whose columns are the elements of all arrays.
        """
        import numpy

        seeded, found = (self.sources, self.targets) if is_forward else (self.targets, self.sources)
        pairs = zip(found.parameters, found.counts, strict=True)
        results = [numpy.zeros((count, elements), p.element.dtype) for p, elements in pairs]
        width, call = self._wide(count, is_forward)
        for start in range(0, count, width):
            stop = min(start + width, count)
            seeds = numpy.zeros((width, sum(seeded.counts)))
            seeds[: stop - start] = rows(start, stop)
            for result, array in zip(results, self._pass(call, seeded.arrays(seeds)), strict=True):
                result[start:stop] = array.reshape(width, -1)[: stop - start]
        return results

    def _pass(self, call: Any, seeds: list[Any]) -> list[Any]:
        import numpy

        width = len(seeds[0])
        passed = (
            [seed[0] for seed in seeds] if width == 1 else [numpy.ascontiguousarray(self._turned(s)) for s in seeds]
        )
        returned = call(*self.inputs, *passed)
        arrays = list(returned) if isinstance(returned, tuple) else [returned]
        return [numpy.asarray(array)[None] if width == 1 else self._turned(array) for array in arrays]

    def _turned(self, array: Any) -> Any:
        """Column-major arrays behind one another: the same memory, with the axes the other way round."""
        return array if self.f.interface.order == "C" else array.transpose(0, *range(array.ndim - 1, 0, -1))

    def _wide(self, count: int, is_forward: bool) -> tuple[int, Any]:
        """Returns the number of directions of one pass, and the pass."""
        kind, seeds, results = (JVP, TANGENT, OUTPUT_TANGENT) if is_forward else (VJP, COTANGENT, GRADIENT)
        width = next((w for w in _WIDTHS if count <= w), _WIDTHS[-1]) if count > 1 else 1
        try:
            return width, self.f.plan("jacobian", kind, (seeds,), (results,), width=width)
        except CompileError:
            if width == 1:
                raise
            return 1, self.f.plan("jacobian", kind, (seeds,), (results,))  # some code has no vector mode


def jacobian(f: CompiledFunction, given: Sequence[Any]) -> Any:
    """Returns the Jacobian: blocks of shape output.shape + input.shape, in tuples where there are several."""
    import numpy

    call = _Call.of(f, given, "jacobian")
    is_forward = sum(call.sources.counts) <= sum(call.targets.counts)
    seeded = call.sources if is_forward else call.targets
    total = sum(seeded.counts)
    rows = call.sweep(is_forward, total, lambda start, stop: numpy.eye(stop - start, total, start))
    blocks = [numpy.split(matrix, numpy.cumsum(seeded.counts)[:-1]) for matrix in rows]  # by found, then by seeded
    if not is_forward:
        blocks = [list(row) for row in zip(*blocks, strict=True)]
    outputs = zip(call.targets.shapes, blocks, strict=True)
    return _single(
        _single(
            (b.T if is_forward else b).reshape(out + shape) for shape, b in zip(call.sources.shapes, row, strict=True)
        )
        for out, row in outputs
    )


def sparse_jacobian(f: CompiledFunction, given: Sequence[Any], sparsity: Any) -> Any:
    """Returns the Jacobian of one output by one input as a matrix in CSR.

    Columns that share no row of the pattern have one direction together (Curtis, Powell and Reid 1974); a greedy
    colouring, fullest column first, chooses them.
    """
    import numpy
    from scipy import sparse

    call = _Call.of(f, given, "jacobian")
    if len(call.sources.shapes) != 1 or len(call.targets.shapes) != 1:
        raise TypeError("a sparse Jacobian needs one input and one output with derivatives")
    wanted = (call.targets.counts[0], call.sources.counts[0])
    pattern = sparse.csc_matrix(sparsity)
    if pattern.shape != wanted:
        raise ValueError(f"sparsity: wanted shape {wanted}; got {pattern.shape}")
    colours = numpy.asarray(colouring(pattern), int)
    count = int(colours.max(initial=-1)) + 1
    (compressed,) = call.sweep(True, count, lambda start, stop: colours == numpy.arange(start, stop)[:, None])
    entries = pattern.tocoo()
    values = compressed[colours[entries.col], entries.row]
    return sparse.csr_matrix((values, (entries.row, entries.col)), shape=wanted)


def colouring(pattern: Any) -> list[int]:
    """Returns a colour for each column of a CSC pattern: columns of one colour share no row."""
    rows = [pattern.indices[pattern.indptr[j] : pattern.indptr[j + 1]].tolist() for j in range(pattern.shape[1])]
    colours = [0] * len(rows)
    taken: dict[int, set[int]] = {}
    for j in sorted(range(len(rows)), key=lambda j: -len(rows[j])):
        used = set().union(*(taken.get(row, set()) for row in rows[j]))
        colours[j] = next(colour for colour in range(len(rows) + 1) if colour not in used)
        for row in rows[j]:
            taken.setdefault(row, set()).add(colours[j])
    return colours


def hessian(f: CompiledFunction, given: Sequence[Any]) -> Any:
    """Returns the Hessian: blocks of shape input.shape + input.shape, in tuples where there are several inputs."""
    import numpy

    call = _Call.of(f, given, "hessian")
    side, total = call.sources, sum(call.sources.counts)
    rows = []
    for i in range(total):
        vectors = [array[0] for array in side.arrays(numpy.eye(1, total, i))]
        row = f.hvp(*call.inputs, tuple(vectors) if len(vectors) > 1 else vectors[0])
        rows.append(numpy.concatenate([numpy.ravel(part) for part in (row if isinstance(row, tuple) else (row,))]))
    matrix = numpy.array(rows).reshape(total, total)
    ends = numpy.cumsum(side.counts)[:-1]
    blocks = [numpy.split(part, ends, axis=1) for part in numpy.split(matrix, ends)]
    return _single(
        _single(b.reshape(a + shape) for shape, b in zip(side.shapes, row, strict=True))
        for a, row in zip(side.shapes, blocks, strict=True)
    )


def converted_inputs(f: CompiledFunction, given: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, int]]:
    """Returns the inputs as entry points take them, and the sizes."""
    taken = tuple(CallArgument(p, p.name) for p in f.interface.call_parameters)
    inputs = tuple(Converter(f.interface, f.__name__, taken)(*given))
    pairs = list(zip(f.interface.call_parameters, inputs, strict=True))
    passed = {p.name: value for p, value in pairs if not isinstance(p, Parameter)}
    shapes = [getattr(value, "shape", ()) for p, value in pairs if isinstance(p, Parameter)]
    return inputs, f.interface.solve(shapes, passed)


def _single(values: Any) -> Any:
    listed = tuple(values)
    return listed[0] if len(listed) == 1 else listed
