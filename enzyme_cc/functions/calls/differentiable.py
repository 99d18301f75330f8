"""A differentiable function: the products with vectors, and what is made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .argnums import Argnums, of_hessian, of_jacobian
from .products import CompiledFunction

if TYPE_CHECKING:
    from .checking import CheckReport


class DifferentiableFunction(CompiledFunction):
    """A differentiable function of arrays: `CompiledFunction`, with whole Jacobians and Hessians, and a check."""

    def jacobian(self, *inputs: Any, sparsity: Any = None, argnums: Argnums | None = None) -> Any:
        """Returns the derivative of each output with respect to each input: arrays of shape output.shape + input.shape.

        With several outputs or inputs: a tuple for each output, of one array for each input. `sparsity` is a sparse
        matrix of SciPy, of size (elements of the output, elements of the input), with an entry wherever the
        derivative can be other than zero. Then the result is such a matrix in the format CSR, and elements of
        columns that share no row are computed together. `argnums` names the inputs, as in `grad`; not with `sparsity`.
        """
        from .jacobians import jacobian, sparse_jacobian

        if sparsity is not None:
            return sparse_jacobian(self, inputs, sparsity)
        return of_jacobian(self.interface, argnums, jacobian(self, inputs))

    def hessian(self, *inputs: Any, argnums: Argnums | None = None) -> Any:
        """Returns the second derivatives of a real output of one element: an array of shape input.shape + input.shape.

        With several inputs: a tuple for each input, of one array for each input. `argnums` names the inputs of rows and
        columns, as in `grad`.
        """
        from .jacobians import hessian

        return of_hessian(self.interface, argnums, hessian(self, inputs))

    def check(self, *inputs: Any, directions: int = 3, seed: int = 0) -> CheckReport:
        """Compares the derivatives with central differences in random directions. Returns a table that can be printed.

        The report is true as a condition if all derivatives agree.
        """
        from .checking import check

        return check(self, inputs, directions, seed)
