"""The derivatives of a compiled function and of its derivatives, up to the second order: the rules of all adapters.

With J the Jacobian at x, and H(w) the Hessian of the outputs weighted by w:

    primal(x)           outputs
    jvp(x, u)           J u                          transposed: vjp
    vjp(x, w)           J' w                         transposed: jvp
    hvp(x, w, u)        H(w) u                       transposed by u: hvp, by w: jvp_of_jvp
    jvp_of_jvp(x, u, v) u' H(each output) v          transposed by u or v: hvp

All but the first are linear in each of their vectors. H is symmetric, so these five are closed under differentiation up
to second order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from enzyme_cc.functions.entry_points import HVP, JVP, JVP_OF_JVP, PRIMAL, VJP

#: among the vectors of a rule: the direction of a derivative, or the cotangent of the result that is transposed
CHANGE = -1


class DerivativeRule(Struct, frozen=True):
    """A kind, and its vectors behind x: numbers of vectors of the kind that is differentiated, or CHANGE."""

    kind: str
    vectors: tuple[int, ...]

    def behind(self, vectors: Sequence[Any], change: Any) -> list[Any]:
        """Returns what stands behind x."""
        return [change if number == CHANGE else vectors[number] for number in self.vectors]


#: the derivative of a kind by x, in a direction
BY_INPUT = {
    PRIMAL: DerivativeRule(JVP, (CHANGE,)),
    JVP: DerivativeRule(JVP_OF_JVP, (0, CHANGE)),
    VJP: DerivativeRule(HVP, (0, CHANGE)),
}
#: a kind transposed as a function of one of its vectors (0 is the first behind x)
TRANSPOSED = {
    (JVP, 0): DerivativeRule(VJP, (CHANGE,)),
    (VJP, 0): DerivativeRule(JVP, (CHANGE,)),
    (HVP, 0): DerivativeRule(JVP_OF_JVP, (1, CHANGE)),
    (HVP, 1): DerivativeRule(HVP, (0, CHANGE)),
    (JVP_OF_JVP, 0): DerivativeRule(HVP, (CHANGE, 1)),
    (JVP_OF_JVP, 1): DerivativeRule(HVP, (CHANGE, 0)),
}


def backward_rule(kind: str, group: int) -> DerivativeRule | None:
    """Returns what reverse mode calls for x (0) or for a vector (1, 2). None: this is above the second order."""
    if group > 0:
        return TRANSPOSED[kind, group - 1]
    if kind not in BY_INPUT:
        return None
    forward = BY_INPUT[kind]
    transposed = TRANSPOSED[forward.kind, forward.vectors.index(CHANGE)]
    vectors = forward.behind(range(len(forward.vectors)), CHANGE)
    return DerivativeRule(transposed.kind, tuple(transposed.behind(vectors, CHANGE)))
