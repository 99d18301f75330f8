"""The entry points of a function: one calling convention for all signatures.

    int enzyme_cc_KIND(void *const *buffers, const int64_t *sizes);

`slots` says what each buffer is, and `Interface.sizes` what each size is. An entry point returns 0, or 1 if the
function threw a C++ exception (`enzyme_cc_message` returns its text), or 2 if there is no memory, or 3 if a callback
of Python failed (`enzyme_cc_message` says how).
"""

from __future__ import annotations

from typing import NamedTuple

from .interface import Interface, Parameter

PRIMAL, VJP, JVP, HVP, JVP_OF_JVP = "primal", "vjp", "jvp", "hvp", "jvp_of_jvp"
INPUT, OUTPUT, COTANGENT, GRADIENT = "input", "output", "cotangent", "gradient"
TANGENT, OUTPUT_TANGENT, GRADIENT_TANGENT = "tangent", "output_tangent", "gradient_tangent"
OTHER_TANGENT, SECOND_TANGENT = "other_tangent", "second_tangent"

#: the buffers of each kind of entry point: groups of arguments, in order
GROUPS = {
    PRIMAL: (INPUT, OUTPUT),
    VJP: (INPUT, OUTPUT, COTANGENT, GRADIENT),
    JVP: (INPUT, OUTPUT, TANGENT, OUTPUT_TANGENT),
    HVP: (INPUT, OUTPUT, COTANGENT, TANGENT, GRADIENT, GRADIENT_TANGENT),
    JVP_OF_JVP: (INPUT, OUTPUT, TANGENT, OTHER_TANGENT, SECOND_TANGENT),
}
#: the groups that the caller fills
READ = frozenset([INPUT, COTANGENT, TANGENT, OTHER_TANGENT])
#: the groups that hold one array for each direction of vector mode
WIDE = frozenset([COTANGENT, GRADIENT, TANGENT, OUTPUT_TANGENT])


class Slot(NamedTuple):
    """One buffer of an entry point: an argument, and what of it the buffer holds."""

    group: str
    argument: Parameter

    @property
    def is_read(self) -> bool:
        """True if the caller fills the buffer, false if the entry point does."""
        return self.group in READ


class EntryForm(NamedTuple):
    """A form of derivative: its kind, and the number of directions of vector mode (1: no vector mode)."""

    kind: str
    width: int = 1

    @property
    def symbol(self) -> str:
        """The C name of the entry point."""
        return f"enzyme_cc_{self.name}"

    @property
    def name(self) -> str:
        """A short name, for files."""
        return self.kind if self.width == 1 else f"{self.kind}_{self.width}"


def slots(interface: Interface, kind: str) -> tuple[Slot, ...]:
    """Returns the buffers of an entry point, in order."""
    members = {
        INPUT: interface.inputs,
        OUTPUT: interface.outputs,
        COTANGENT: interface.active_outputs,
        GRADIENT: interface.active_inputs,
        TANGENT: interface.active_inputs,
        OUTPUT_TANGENT: interface.active_outputs,
        GRADIENT_TANGENT: interface.active_inputs,
        OTHER_TANGENT: interface.active_inputs,
        SECOND_TANGENT: interface.active_outputs,
    }
    return tuple(Slot(group, argument) for group in GROUPS[kind] for argument in members[group])
