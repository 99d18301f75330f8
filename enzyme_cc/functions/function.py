"""`enzyme_cc.function`: a compiled function as a differentiable function of arrays."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .compiled import compiled
from .products import CompiledFunction
from .sources import BuildRequest

if TYPE_CHECKING:
    from .checking import CheckReport

AnyPath = str | os.PathLike[str]


class DifferentiableFunction(CompiledFunction):
    """A differentiable function of arrays: `CompiledFunction`, with whole Jacobians and Hessians, and a check."""

    def jacobian(self, *inputs: Any, sparsity: Any = None) -> Any:
        """Returns the derivative of each output with respect to each input: arrays of shape output.shape + input.shape.

        With several outputs or inputs: a tuple for each output, of one array for each input. `sparsity` is a sparse
        matrix of SciPy, of size (elements of the output, elements of the input), with an entry wherever the
        derivative can be other than zero. Then the result is such a matrix in the format CSR, and elements of
        columns that share no row are computed together.
        """
        from .jacobians import jacobian, sparse_jacobian

        return jacobian(self, inputs) if sparsity is None else sparse_jacobian(self, inputs, sparsity)

    def hessian(self, *inputs: Any) -> Any:
        """Returns the second derivatives of a real output of one element: an array of shape input.shape + input.shape.

        With several inputs: a tuple for each input, of one array for each input.
        """
        from .jacobians import hessian

        return hessian(self, inputs)

    def check(self, *inputs: Any, directions: int = 3, seed: int = 0) -> CheckReport:
        """Compares the derivatives with central differences in random directions. Returns a table that can be printed.

        The report is true as a condition if all derivatives agree.
        """
        from .checking import check

        return check(self, inputs, directions, seed)


def function(
    sources: AnyPath | Iterable[AnyPath],
    name: str,
    signature: str | None = None,
    *,
    flags: str | Iterable[str] = (),
    libraries: Iterable[AnyPath] = (),
    include: Iterable[AnyPath] = (),
    verbose: bool = False,
) -> DifferentiableFunction:
    """Compiles a function of C, C++, Fortran, Rust or LLVM IR and returns it as a differentiable function.

    - `sources` are one file or several: sources, LLVM IR or bitcode, and objects and static libraries of enzyme-cc.
    - `name` is the function's name in the source, or its symbol.
    - `signature` is described in docs/python.md. Without one, the prototype gives it if it can.
    - `flags` are for the compilers, `libraries` are names for `-l` or paths, `include` are folders with headers.
    - `verbose` shows the commands that are run.

    What is built is kept in a cache. Raises `CompileError` and `SignatureError`.
    """
    request = BuildRequest.of(sources, name, signature, flags, libraries, include)
    return DifferentiableFunction(compiled(request, verbose))


def load(
    library: AnyPath,
    name: str,
    signature: str | None = None,
    *,
    libraries: Iterable[AnyPath] = (),
    flags: str | Iterable[str] = (),
    verbose: bool = False,
) -> DifferentiableFunction:
    """Returns a function of a static library or object that another build system made with enzyme-cc.

    The parameters are those of `function`.
    """
    return function(library, name, signature, libraries=libraries, flags=flags, verbose=verbose)
