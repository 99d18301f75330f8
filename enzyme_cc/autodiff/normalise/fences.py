"""Keeps sums with large constants whole, where LLVM takes them apart to add their parts to adjoints.

Sums of adjoints may be reassociated, but sums of the primal may not. LLVM's InstCombine looks at the flags of the outer
sum only: of 0.3 + (t - 2451545.0) it makes t + (0.3 - 2451545.0), which loses seven digits of 0.3. A call of
`llvm.arithmetic.fence` behind the inner sum prevents that. It costs no instruction, and loops are vectorised with it.
An argument of the function counts as a large constant: LLVM may inline the derivative where the program passes one.
"""

from __future__ import annotations

from ...ir.builder import Builder
from ...ir.constant_numbers import numbers
from ...ir.constants import Constant
from ...ir.instructions import FLOAT_SUMS
from ...ir.values import Argument, Function, Instruction
from ...rules.expression_functions import type_suffix

_FENCE = "@llvm.arithmetic.fence."
#: smaller constants lose less than three of sixteen digits
_LARGE = 1024.0


def fence_large_sums(function: Function) -> None:
    """Rewrites the function in place."""
    for i in list(function.instructions()):
        if i.opcode not in FLOAT_SUMS or "reassoc" in i.flags or not _adds_large_constant(i):
            continue
        if not all(_is_fence(user) or _compares(user) for user in i.users):
            fence(i)


def fence(total: Instruction) -> None:
    """Gives the users of a sum the result of a fence."""
    users = list(total.users)
    name = f"{_FENCE}{type_suffix(total.type)}"
    whole = Builder.after(total).call(name, total.type, (total,))
    for user in users:
        user.replace_operand(total, whole)


def _compares(i: Instruction) -> bool:
    """True for a comparison, and for a magnitude or a product that is only compared."""
    is_magnitude = i.opcode == "fmul" or i.callee_name.startswith("@llvm.fabs.")
    looks_at = i.opcode == "fcmp" or i.opcode == "bitcast"
    return looks_at or (is_magnitude and all(user.opcode == "fcmp" for user in i.users))


def _is_fence(i: Instruction) -> bool:
    return i.callee_name.startswith(_FENCE)


def _adds_large_constant(total: Instruction) -> bool:
    constants = [operand for operand in total.operands if isinstance(operand, Constant)]
    if constants:
        return any(n is not None and abs(n) >= _LARGE for constant in constants for n in numbers(constant))
    return any(isinstance(operand, Argument) for operand in total.operands)
