"""Derivatives of functions that Numba compiles.

    @numba.njit
    def energy(x): ...

    gradient = enzyme_cc.numba.grad(energy)

What each function here returns can be called from Python and from jitted functions. It is compiled when it is first
called with arguments of some types. Arguments are numbers, arrays of floating-point and complex numbers, tuples of
these, and constants, such as integers. The derivative by a complex number is that by its real part plus i times that by
its imaginary part. Arrays that the function changes are copies: those of the caller stay. Derivatives can be
differentiated again.

Raises Numba's errors; `SignatureError` for arguments and results without derivative; `CompileError` for code that
cannot be differentiated, such as code that needs the Python interpreter.
"""

from __future__ import annotations

try:
    from numba.core.dispatcher import Dispatcher
except ImportError as error:
    raise ImportError("enzyme_cc.numba needs the package numba: pip install numba") from error

from enzyme_cc.frameworks.applied_function import accepted
from enzyme_cc.frameworks.jitted import jitted_calls
from enzyme_cc.frameworks.jitted.jitted_wrapping import wrapped
from enzyme_cc.functions.calls.products import CompiledFunction


def wrap(function: CompiledFunction) -> Dispatcher:
    """Returns a function of `enzyme_cc.function` as a jitted function, which takes and returns the same values.

    Jitted functions call it, and so do those that are differentiated here. A struct whose members have one type is an
    axis more, the last. Raises `SignatureError` for other structs, and where arguments do not fit, when they are
    compiled. The result raises `ValueError` for wrong shapes, and `RuntimeError` for a C++ exception.
    """
    return wrapped(accepted(function, "enzyme_cc.numba"))


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
