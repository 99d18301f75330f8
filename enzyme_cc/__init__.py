"""enzyme-cc: automatic differentiation of existing compiled programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .functions.calls.callbacks import callback
    from .functions.calls.differentiable import DifferentiableFunction
    from .functions.calls.function import function, load
    from .functions.calls.shared_library import Library, library
    from .functions.errors import CompileError, Crash, SignatureError

__version__ = "0.1.0"
__all__ = [
    "CompileError", "Crash", "DifferentiableFunction", "Library", "SignatureError", "__version__",
    "callback", "function", "library", "load",
]  # fmt: skip

#: the modules of the public names: imported when asked for, since each link imports this package too
_HOMES = {
    "CompileError": "errors",
    "Crash": "errors",
    "SignatureError": "errors",
    "DifferentiableFunction": "calls.differentiable",
    "callback": "calls.callbacks",
    "function": "calls.function",
    "load": "calls.function",
    "Library": "calls.shared_library",
    "library": "calls.shared_library",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.functions.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
