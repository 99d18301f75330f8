"""The tests' own references against the C library, so that a row and its case cannot agree on a misunderstanding."""

from __future__ import annotations

import ctypes
import random
from typing import Any

import pytest
from mpmath import mp, mpf

from enzyme_cc.ir.types import DOUBLE
from enzyme_cc.rules.math import CONSTANT, MATH

from .cases import Case, case_of, every_rule, first
from .test_partials import sample

LIBM = ctypes.CDLL("libm.so.6")
INTEGER_RESULT = """
    ilogb llogb lrint llrint lround llround isnan isinf finite __isnan __isinf __finite __fpclassify __signbit
    __issignaling __iseqsig
""".split()
_TYPES: dict[str, Any] = {
    "f": ctypes.c_double,
    "n": ctypes.c_double,
    "i": ctypes.c_int,
    "l": ctypes.c_long,
    "p": ctypes.c_void_p,
}
COMPARED = [name for name in MATH if name not in CONSTANT and hasattr(LIBM, name) and name != "sincos"]
#: piecewise constant functions that the C library at hand lacks, or that are no C functions
STEPS_ELSEWHERE = {
    "llogb", "fromfp", "ufromfp", "fromfpx", "ufromfpx", "isnan", "isinf", "finite", "signbitq", "issignalingq",
    "llvm.fptosi.sat", "llvm.fptoui.sat", "llvm.is.fpclass",
    *(f"llvm.experimental.constrained.{name}" for name in
      ("fptosi", "fptoui", "sitofp", "uitofp", "fcmp", "fcmps", "fptosi.sat", "fptoui.sat", "is.fpclass")),
}  # fmt: skip


def call(name: str, case: Case, operands: list[Any]) -> float:
    function = LIBM[name]
    function.restype = ctypes.c_double
    function.argtypes = [_TYPES[letter] for letter in case.signature]
    remaining = iter(operands)
    buffer = ctypes.create_string_buffer(16)
    values = [ctypes.addressof(buffer) if letter == "p" else next(remaining) for letter in case.signature]
    result: float = function(*[float(value) if isinstance(value, mpf) else value for value in values])
    return result


@pytest.mark.parametrize("name", COMPARED)
def test_reference_is_the_library_function(name: str) -> None:
    case = case_of(name)
    assert case is not None
    rng = random.Random(name)
    for _ in range(20):
        operands = sample(case, DOUBLE, rng)
        expected = float(case.reference(*operands))
        assert call(name, case, operands) == pytest.approx(expected, rel=1e-11, abs=1e-13)


@pytest.mark.parametrize("name", [name for name in CONSTANT if name not in STEPS_ELSEWHERE])
def test_steps_are_flat_between_jumps(name: str) -> None:
    function = LIBM[name]
    function.restype = ctypes.c_int if name in INTEGER_RESULT else ctypes.c_double
    function.argtypes = [ctypes.c_double] * len(CONSTANT[name].partials)
    others = [0.25] * (len(CONSTANT[name].partials) - 1)
    for x in (0.3, -0.7, 5.2, 1e3 + 0.1, -77.6):
        assert function(x, *others) == function(x * (1 + 1e-9), *others)


def base(name: str) -> str:
    return name.rpartition("constrained.")[2].removeprefix("llvm.")


def test_every_step_function_is_accounted_for() -> None:
    steps = {base(name) for name, rule in every_rule() if rule.is_constant}
    left = steps - set(CONSTANT) - {base(name) for name in STEPS_ELSEWHERE}
    assert {name for name in left if not name.startswith("_FortranA")} == set()
    fortran = {name.removeprefix("_FortranA").rstrip("0123456789_") for name in left}
    assert fortran == {"Exponent", "Ceiling", "Floor", "Nint", "Spacing", "IsFinite", "IsNaN"}


def test_identity_references_are_of_functions_that_move_by_a_rounding_error() -> None:
    identities = {name for name, _ in every_rule() if (case := case_of(name)) and case.reference is first}
    assert {"nextafter", "nextup", "llvm.canonicalize"} <= identities
    assert mp.dps >= 30
