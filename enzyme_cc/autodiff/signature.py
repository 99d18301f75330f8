"""Signatures of derivative functions: what is differentiated, with respect to what, in which form."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ..analysis.activity import ArgumentActivity, ResultActivity
from ..analysis.carriers import Carriers
from ..ir.types import PTR, VOID, FunctionType, StructType, Type
from ..ir.values import Function


class Form(Enum):
    """COMBINED runs f and its adjoint; AUGMENTED runs f and fills a tape; REVERSE reads that tape."""

    COMBINED = "gradient"
    AUGMENTED = "augmented"
    REVERSE = "reverse"


@dataclass(frozen=True)
class Signature:
    """`function` with its @, one activity per argument, activity of the result."""

    function: str
    arguments: tuple[ArgumentActivity, ...]
    result: ResultActivity


@dataclass(frozen=True)
class Prototype:
    """Type of a derivative function.

    Parameters: AUGMENTED: arena; then each argument, a DUP one followed by its shadow; then the seed where the result
    is active (not AUGMENTED); REVERSE: tape. Results, in a struct: AUGMENTED: tape; primal result (not REVERSE);
    shadow of the result (AUGMENTED, where it has one); adjoints of the OUT arguments (not AUGMENTED).
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
    params: list[Type] = [PTR] if form is Form.AUGMENTED else []
    for argument, activity in zip(function.arguments, signature.arguments, strict=True):
        params += [argument.type] * (2 if activity is ArgumentActivity.DUP else 1)
    result = function.type.result
    if signature.result is ResultActivity.ACTIVE and form is not Form.AUGMENTED:
        params.append(carriers.result_type(function) or result)
    if form is Form.REVERSE:
        params.append(PTR)
    results: list[Type] = [PTR] if form is Form.AUGMENTED else []
    if form is not Form.REVERSE and result != VOID:
        results.append(result)
    if form is Form.AUGMENTED and signature.result is ResultActivity.SHADOW:
        results.append(result)
    if form is not Form.AUGMENTED:
        results += [
            carriers.adjoint_type(a) or a.type
            for a, activity in zip(function.arguments, signature.arguments, strict=True)
            if activity is ArgumentActivity.OUT
        ]
    return Prototype(form, tuple(params), tuple(results))
