"""The rules of differentiation and transposition, which all adapters share."""

from __future__ import annotations

import pytest

from enzyme_cc.frameworks.derivative_rules import BY_INPUT, TRANSPOSED, backward_rule
from enzyme_cc.functions.entry_points import HVP, JVP, JVP_OF_JVP, PRIMAL, VJP

VECTORS = {PRIMAL: 0, JVP: 1, VJP: 1, HVP: 2, JVP_OF_JVP: 2}


def test_every_vector_of_every_kind_can_be_transposed() -> None:
    assert TRANSPOSED.keys() == {(kind, k) for kind, number in VECTORS.items() for k in range(number)}


@pytest.mark.parametrize(("kind", "place"), TRANSPOSED)
def test_a_transposed_rule_takes_as_many_vectors_as_its_kind_has(kind: str, place: int) -> None:
    rule = TRANSPOSED[kind, place]
    assert len(rule.vectors) == VECTORS[rule.kind]
    assert place not in rule.vectors  # that vector is what the result is about


def test_reverse_mode_by_the_input_is_a_product_with_the_jacobian_or_the_hessian() -> None:
    assert str(backward_rule(PRIMAL, 0)) == str(TRANSPOSED[JVP, 0])
    assert [getattr(backward_rule(kind, 0), "kind", None) for kind in (JVP, VJP)] == [HVP, HVP]


@pytest.mark.parametrize("kind", sorted(VECTORS.keys() - BY_INPUT.keys()))
def test_the_third_order_has_no_rule(kind: str) -> None:
    assert backward_rule(kind, 0) is None
    assert backward_rule(kind, 1) is not None
