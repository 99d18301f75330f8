"""Derivatives of functions that Numba compiles.

    @numba.njit
    def energy(x): ...

    gradient = enzyme_cc.numba.grad(energy)

What each function here returns can be called from Python and from jitted functions. It is compiled when it is first
called with arguments of some types. Arguments are numbers, arrays of float32 and float64, tuples of these, and
constants, such as integers. Arrays that the function changes are copies: those of the caller stay.

Raises Numba's errors; `SignatureError` for arguments and results without derivative; `CompileError` for code that
cannot be differentiated, such as code that needs the Python interpreter.
"""

from __future__ import annotations

try:
    from numba.core.dispatcher import Dispatcher
except ImportError as error:
    raise ImportError("enzyme_cc.numba needs the package numba: pip install numba") from error

from enzyme_cc.frameworks.jitted import jitted_calls


def grad(jitted: Dispatcher) -> Dispatcher:
    """Returns the gradient of a function that returns a float.

    It is an array, number or tuple like the argument with a derivative; a tuple of these where several have one.
    """
    return jitted_calls.gradient(jitted)


def value_and_grad(jitted: Dispatcher) -> Dispatcher:
    """Returns the function that gives (value, gradient), the gradient as in `grad`."""
    return jitted_calls.value_and_gradient(jitted)


def jvp(jitted: Dispatcher) -> Dispatcher:
    """Returns the function of (arguments, tangents) that gives (value, tangent of the value).

    `tangents` is a tuple with one tangent for each argument that has a derivative, of the argument's shape.
    """
    return jitted_calls.jvp(jitted)


def jacobian(jitted: Dispatcher) -> Dispatcher:
    """Returns the Jacobian of a function that returns a float or an array.

    Its shape is that of the result, then that of the argument; a tuple where several arguments have a derivative. It is
    made by rows or columns, by which are fewer.
    """
    return jitted_calls.jacobian(jitted)
