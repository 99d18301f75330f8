"""Derivative functions that call registered derivatives, made without a request."""

from __future__ import annotations

from enzyme_cc.analysis.activity.activity import ArgumentActivity, ResultActivity
from enzyme_cc.autodiff.core.signature import Form, Signature
from enzyme_cc.autodiff.custom.custom_derivatives import build_custom

from ..normalise.rewriting import body
from ..rounds import complete


def built(
    text: str,
    form: Form,
    arguments: str = "out",
    result: ResultActivity = ResultActivity.ACTIVE,
    function: str = "@f",
    directions: int = 1,
) -> list[str]:
    """The derivative of a function in this form: lines that LLVM accepts, without metadata. The round's root is @f."""
    round = complete(text)
    signature = Signature(function, tuple(map(ArgumentActivity, arguments.split())), result, directions)
    build_custom(round, signature, form)
    name, _ = round.derivatives.of(signature, form)
    return body(str(round.output), name)
