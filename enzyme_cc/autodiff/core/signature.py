"""Signatures of derivative functions: what is differentiated, with respect to what, in which form."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ...analysis.activity.activity import ArgumentActivity, ResultActivity
from ...analysis.activity.carriers import Carriers
from ...ir.types import PTR, VOID, FunctionType, StructType, Type
from ...ir.values import Function


class Form(Enum):
    """COMBINED runs f and its adjoint; AUGMENTED runs f and fills a tape; REVERSE reads that tape. TANGENT is forward
    mode."""

    COMBINED = "gradient"
    AUGMENTED = "augmented"
    REVERSE = "reverse"
    TANGENT = "tangent"


@dataclass(frozen=True)
class Signature:
    """`function` with its @, one activity per argument, activity of the result; `directions` of vector mode at once.

    `unneeded`: the arguments behind which nobody wants what f writes (it does nothing else there). Where TANGENT is the
    form, DUP is said of numbers too: a tangent is passed beside. `held`: the tape is the program's own. `stays`: the
    arguments behind which nothing but f writes from its call until its reverse sweep, as MemoryFacts.stays takes them.
    """

    function: str
    arguments: tuple[ArgumentActivity, ...]
    result: ResultActivity
    directions: int = 1
    unneeded: tuple[int, ...] = ()
    held: bool = False
    stays: tuple[int, ...] = ()


@dataclass(frozen=True)
class Prototype:
    """Type of a derivative function.

    Parameters: AUGMENTED: arena; then each argument, a DUP one followed by its shadow; then the seed where the result
    is active (COMBINED, REVERSE); REVERSE: tape. Results, in a struct: AUGMENTED: tape; primal result (not REVERSE);
    shadow of the result (AUGMENTED, TANGENT: also its tangent); adjoints of the OUT arguments (COMBINED, REVERSE). Of
    each shadow, seed, tangent and adjoint there is one for each direction.
    """

    form: Form
    params: tuple[Type, ...]
    results: tuple[Type, ...]

    @property
    def result(self) -> Type:
        return StructType(self.results) if self.results else VOID

    @property
    def type(self) -> FunctionType:
        return FunctionType(self.result, self.params)


def prototype(signature: Signature, form: Form, function: Function, carriers: Carriers) -> Prototype:
    """The derivative's prototype; `function` is the (normalised) primal."""
    directions, result = signature.directions, function.type.result
    params: list[Type] = [PTR] if form is Form.AUGMENTED else []
    for argument, activity in zip(function.arguments, signature.arguments, strict=True):
        params += [argument.type] * (1 + directions if activity is ArgumentActivity.DUP else 1)
    adjoints = form in (Form.COMBINED, Form.REVERSE)
    if signature.result.has_adjoint and adjoints:
        params += [carriers.result_type(function) or result] * directions
    if form is Form.REVERSE:
        params.append(PTR)
    results: list[Type] = [PTR] if form is Form.AUGMENTED else []
    if form is not Form.REVERSE and result != VOID:
        results.append(result)
    if signature.result in _RETURNED_SHADOWS[form]:
        results += [result] * directions
    if adjoints:
        results += [
            carriers.adjoint_type(a) or a.type
            for a, activity in zip(function.arguments, signature.arguments, strict=True)
            if activity is ArgumentActivity.OUT
            for _ in range(directions)
        ]
    return Prototype(form, tuple(params), tuple(results))


#: for results of which activity a shadow comes back
_RETURNED_SHADOWS: dict[Form, tuple[ResultActivity, ...]] = {
    Form.COMBINED: (),
    Form.REVERSE: (),
    Form.AUGMENTED: (ResultActivity.SHADOW, ResultActivity.BOTH),
    Form.TANGENT: (ResultActivity.SHADOW, ResultActivity.ACTIVE, ResultActivity.BOTH),
}
