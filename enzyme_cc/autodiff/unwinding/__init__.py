"""Lowers the exceptions that differentiated functions throw and catch to control flow, which can be differentiated.

`lower_exceptions` takes the optimised text of a module, and changes it if a request may reach a handler that does not
throw the exception again. Each function that such an exception may leave gets a copy with one more parameter, the
address of a `struct unwinding` (toolchain/stand_ins/unwinding.c), which holds the exception in flight. The copy returns
where the function throws. Its caller then checks for an exception, and goes to its handler or returns too.
"""

from .lower import lower_exceptions
from .names import PREFIX, in_source_terms

__all__ = ["PREFIX", "in_source_terms", "lower_exceptions"]
