"""Exceptions that differentiated functions throw and catch, as ordinary control flow, which can be differentiated.

`lower_exceptions` is given the optimised text of a module, and changes it where a request may reach a handler that goes
on after it has caught. Each function on the way of an exception gets a copy with one operand more: the memory of
`struct unwinding` (toolchain/stand_ins/unwinding.c), in which an exception is in flight. Such a copy returns at once
where it would have thrown; and who called it looks, and goes to its handler, or returns too.
"""

from .lower import lower_exceptions
from .names import PREFIX, in_source_terms

__all__ = ["PREFIX", "in_source_terms", "lower_exceptions"]
