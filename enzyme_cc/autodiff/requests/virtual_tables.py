"""`__enzyme_virtualreverse` of a table of virtual functions: the table is its own shadow.

Programs for Enzyme put its result into the shadow of an object, in place of the address of the table. Here, calls of
virtual functions need no shadow (normalise/indirect_calls.py). The destructor of the shadow finds its function in the
table, too.
"""

from __future__ import annotations

from ...ir.builder import Builder
from ...ir.constants import Constant
from ...ir.edit import drop_incoming
from ...ir.module import Module
from ...ir.values import Instruction
from ...rules import runtime_functions as runtime
from ..core.markers import RequestKind
from .request import find_requests, function_of


def shadow_tables(module: Module) -> None:
    """Replaces each `__enzyme_virtualreverse` of something else than a known function by its argument.

    If only the run tells what the argument is, the program ends with a message if it is a function.
    """
    for _, call, kind in list(find_requests(module)):
        if kind is not RequestKind.VIRTUALREVERSE or len(call.arguments) != 1 or call.type != call.arguments[0].type:
            continue
        (table,) = call.arguments
        if function_of(module, table) is not None:
            continue
        if not isinstance(table, Constant):
            runtime.REFUSE_FUNCTION.call(Builder.before(call), table)
            runtime.REFUSE_FUNCTION.declare(module)
        call.replace_uses(table)
        if call.opcode == "invoke":
            leave_invoke(call)
        call.erase()


def leave_invoke(call: Instruction) -> None:
    """Branches to where an invoke continues."""
    normal, unwind = call.successors
    assert call.block is not None
    for phi in unwind.phis:
        drop_incoming(phi, call.block)
    Builder.before(call).br(normal)
