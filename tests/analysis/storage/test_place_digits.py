"""Variables of collapsed loops as digits of one number."""

from __future__ import annotations

import itertools

import pytest

from enzyme_cc.analysis.storage.linear_places import LinearPlaces
from enzyme_cc.analysis.storage.place_digits import Below, Digit, Digits, QuotientOf, WholeNumber
from enzyme_cc.analysis.storage.work_loops import Divided
from enzyme_cc.ir.cfg import ControlFlow
from enzyme_cc.ir.constants import ConstantInt
from enzyme_cc.ir.values import Instruction

from .test_work_loops import body

#: three digits of i, from above and from below: the rest of the quotient by 12 is divided by 4
FROM_ABOVE = """%bb = sdiv i64 %i, 12
  %cc = mul i64 %bb, 12
  %rr = sub i64 %i, %cc
  %tt = sdiv i64 %rr, 4
  %dd = mul i64 %tt, 4
  %hh = sub i64 %rr, %dd
  """
FROM_BELOW = """%qq = sdiv i64 %i, 4
  %hh = srem i64 %i, 4
  %bb = sdiv i64 %qq, 3
  %tt = srem i64 %qq, 3
  """
#: these depend on each other
TWO = "%bb = sdiv i64 %i, 2\n  %tt = sdiv i64 %i, 3\n  %hh = srem i64 %i, 3\n  "
INDEX = """%x1 = mul i64 %bb, 100
  %x2 = mul i64 %tt, 10
  %x3 = add i64 %x1, %x2
  %x4 = add i64 %x3, %hh
  %x5 = add i64 %x4, 7
  %p = getelementptr double, ptr %x, i64 %x5
  %a = load double, ptr %p
  """


def digits_of(lines: str) -> tuple[Digits, dict[str, int], LinearPlaces]:
    """Returns the digits, the strides of the index by the digits' ranges, and the places."""
    function = body(lines + INDEX)
    flow = ControlFlow(function)
    places = LinearPlaces(flow, Divided(flow))
    (index,) = (i for i in function.instructions() if i.name == "x5")
    polynomial = places.polynomial(index)
    assert polynomial is not None
    found = places.digits.split(polynomial)
    assert found.rest == {(): 7}
    return places.digits, {_word(d): dict(s)[()] for d, s in found.strides.items()}, places


def _word(digit: Digit) -> str:
    def word(range_: object) -> str:
        match range_:
            case WholeNumber():
                return "i"
            case QuotientOf(of, ConstantInt() as divisor):
                return f"{word(of)}/{divisor.value}"
            case Below(ConstantInt() as divisor):
                return f"<{divisor.value}"
        raise AssertionError(range_)

    return word(digit.range)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [(FROM_ABOVE, {"i/12": 100, "<12/4": 10, "<4": 1}), (FROM_BELOW, {"i/4/3": 100, "<3": 10, "<4": 1})],
    ids=["above", "below"],
)
def test_an_index_is_a_sum_of_digits(lines: str, expected: dict[str, int]) -> None:
    assert digits_of(lines)[1] == expected


@pytest.mark.parametrize("lines", [FROM_ABOVE, FROM_BELOW], ids=["above", "below"])
def test_the_variable_is_the_sum_of_its_digits(lines: str) -> None:
    digits, _, places = digits_of(lines)
    (phi,) = (symbol for symbol in digits.sums if isinstance(symbol, Instruction) and symbol.opcode == "phi")
    radices = [dict(stride)[()] for stride in digits.sums[phi].strides.values()]
    assert sorted(radices) == [1, 4, 12]
    sums = {sum(p) for p in itertools.product(range(0, 60, 12), range(0, 12, 4), range(4))}
    assert sums == set(range(60))
    assert all(places.conditions[k].is_signed is False for k in range(len(places.conditions)))


def test_digits_of_one_number_do_not_depend_on_each_other() -> None:
    function = body(TWO + INDEX)
    flow = ControlFlow(function)
    places = LinearPlaces(flow, Divided(flow))
    (index,) = (i for i in function.instructions() if i.name == "x5")
    assert places.polynomial(index) is not None
    roots = {tuple(map(str, number)) for number in places.digits.roots.values()}
    left = [v for v in places.variables if v not in places.digits.sums]
    assert len(roots) == 1 and len(left) == 1


def test_a_variable_has_digits_only_beside_a_quotient_of_its_number() -> None:
    digits, _, _ = digits_of(FROM_BELOW)
    (phi,) = (symbol for symbol in digits.sums if isinstance(symbol, Instruction) and symbol.opcode == "phi")
    (quotient,) = (symbol for symbol in digits.sums if isinstance(symbol, Instruction) and symbol.name == "qq")
    assert not digits.split({(phi,): 1}).strides
    assert len(digits.split({(phi,): 1, (quotient,): 1}).strides) == 3
