"""Names as compilers spell them find their rules; other names find none."""

from __future__ import annotations

import pytest

from enzyme_cc.ir.instructions import FLOAT_ARITHMETIC
from enzyme_cc.rules.arithmetic import INSTRUCTIONS
from enzyme_cc.rules.complex import COMPLEX
from enzyme_cc.rules.intrinsics import INTRINSICS
from enzyme_cc.rules.math import MATH
from enzyme_cc.rules.table import lookup, spellings

SPELLINGS = {
    "sin": "sin sinf sinl sinf128 __sin_finite __sinf_finite llvm.sin.f64 llvm.sin.v2f32 llvm.sin.nxv4f64 _ZGVbN2v_sin",
    "exp": "exp expf expl __exp_finite llvm.exp.bf16 llvm.exp.f80 llvm.experimental.constrained.exp.f64",
    "pow": "pow powf powl __pow_finite __powl_finite llvm.pow.f128 _ZGVdN4vv_pow",
    "fmuladd": "llvm.fmuladd.f64 llvm.fmuladd.v4f64 llvm.experimental.constrained.fmuladd.f32",
    "fadd": "llvm.experimental.constrained.fadd.f64",
    "minnum": "llvm.minnum.f64 llvm.minnum.v8f32",
    "lgamma_r": "lgamma_r lgammaf_r lgammal_r __lgamma_r_finite __lgammaf_r_finite",
    "ldexp": "ldexp ldexpf ldexpl llvm.ldexp.f64.i32",
    "powi": "llvm.powi.f64.i32 llvm.powi.v2f64.i32",
    "vector.reduce.fadd": "llvm.vector.reduce.fadd.v4f64",
    "cexp": "cexp cexpf cexpl",
    "jn": "jn jnf jnl __jn_finite",
}
#: from flang 22 and rustc 1.95 for code that uses their languages' numeric intrinsics
FLANG = """
    acosh erf erfc hypot tgamma lgamma j0 jn y1 cabs cexp csqrt clog csin __divdc3 cabsf cexpf __divsc3 ccoshf catan
    cacosh cpow _FortranAModReal8 _FortranAModuloReal8 _FortranAModReal4 _FortranAModReal10 _FortranAErfcScaled8
    _FortranAFraction8 _FortranAScale8 _FortranASetExponent8 _FortranAExponent8_4 _FortranASpacing8
    _FortranARRSpacing8 _FortranAzpowi _FortranAzpowk _FortranAcpowi llvm.trunc.f64 llvm.lround.i32.f64
    llvm.powi.f64.i32 llvm.copysign.f64 llvm.is.fpclass.f64 llvm.fptosi.sat.i32.f64 llvm.atan2.f64 llvm.log10.f64
"""
RUST = "cbrt hypot log1p tan llvm.maxnum.f64 llvm.copysign.f64 llvm.powi.f64.i32 llvm.is.fpclass.f64 fmod expm1"


@pytest.mark.parametrize(("base", "names"), SPELLINGS.items())
def test_spellings_of_a_function_share_its_rule(base: str, names: str) -> None:
    rules = {name: lookup(name) for name in names.split()}
    assert None not in rules.values(), rules
    assert {rule.name.rpartition("constrained.")[2] for rule in rules.values() if rule is not None} == {base}


@pytest.mark.parametrize("name", FLANG.split() + RUST.split())
def test_names_that_flang_and_rustc_emit(name: str) -> None:
    assert lookup(name) is not None


@pytest.mark.parametrize("base", [*MATH, *COMPLEX])
def test_each_row_is_found_in_each_precision(base: str) -> None:
    assert {lookup(name) for name in spellings(base)} == {MATH.get(base) or COMPLEX[base]}


@pytest.mark.parametrize("name", ["_ZGVbN2vvv_sincos", "cabsq", "cexpf128"])
def test_operands_that_a_rule_does_not_see(name: str) -> None:
    """Vectors of pointers, and complex numbers in memory."""
    assert lookup(name) is None


@pytest.mark.parametrize("base", INTRINSICS)
def test_each_intrinsic_is_found(base: str) -> None:
    assert lookup(f"llvm.{base}.f64") is INTRINSICS[base]


@pytest.mark.parametrize("name", "si sinn sinfl qsort printf llvm.sine.f64 llvm.umin.i32 __foo_finite malloc".split())
def test_other_names_have_no_rule(name: str) -> None:
    assert lookup(name) is None


def test_all_arithmetic_of_numbers_has_partials() -> None:
    assert INSTRUCTIONS.keys() == FLOAT_ARITHMETIC
