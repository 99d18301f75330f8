"""Choices between vectors and zero: they become masks, and compute the same."""

from __future__ import annotations

import ctypes

import llvmlite.binding as llvm
import pytest

from enzyme_cc.ir.text.masked_vectors import has_choices, with_masks

LOOP = """
target triple = "x86_64-unknown-linux-gnu"
define void @f(ptr noalias %a, ptr noalias %b, i32 %word, float %number) {
entry:
  %bits = trunc i32 %word to i4
  %fixed = bitcast i4 %bits to <4 x i1>
  %put = insertelement <4 x float> poison, float %number, i64 0
  %all = shufflevector <4 x float> %put, <4 x float> poison, <4 x i32> zeroinitializer
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds <4 x float>, ptr %a, i64 %i
  %q = getelementptr inbounds <4 x float>, ptr %b, i64 %i
  %x = load <4 x float>, ptr %p
  %less = fcmp olt <4 x float> %x, splat (float 2.000000e+00)
  %both = select <4 x i1> %less, <4 x i1> %fixed, <4 x i1> zeroinitializer
  %chosen = select FLAGS <4 x i1> %both, <4 x float> %all, <4 x float> zeroinitializer
  %negative = select FLAGS <4 x i1> %less, <4 x float> %x, <4 x float> splat (float -0.000000e+00)
  %sum = fadd <4 x float> %chosen, %negative
  store <4 x float> %sum, ptr %q
  %next = add i64 %i, 1
  %is = icmp eq i64 %next, 4
  br i1 %is, label %end, label %loop
end:
  ret void
}
"""
ONE_BLOCK = """
define <2 x double> @f(<2 x i1> %m, <2 x double> %x) {
  %fixed = xor <2 x i1> %m, splat (i1 true)
  %less = fcmp olt <2 x double> %x, zeroinitializer
  %twice = fadd <2 x double> %x, %x
  %both = select <2 x i1> %less, <2 x i1> %fixed, <2 x i1> zeroinitializer
  %chosen = select <2 x i1> %both, <2 x double> %twice, <2 x double> zeroinitializer
  ret <2 x double> %chosen
}
"""


def ran(text: str, word: int) -> list[float]:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(text)
    module.verify()
    engine = llvm.create_mcjit_compiler(module, llvm.Target.from_default_triple().create_target_machine())
    engine.finalize_object()
    given, got = (ctypes.c_float * 16)(*range(-8, 8)), (ctypes.c_float * 16)()
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_float)
    function(engine.get_function_address("f"))(given, got, word, 0.25)
    return list(got)


@pytest.mark.parametrize("flags", ["nsz", "fast", "reassoc nsz arcp contract"])
def test_a_fixed_condition_chooses_before_the_loop(flags: str) -> None:
    text = LOOP.replace("FLAGS", flags)
    masked = with_masks(text)
    before, _, loop = masked.partition("loop:")
    assert "select <4 x i1> %fixed, <4 x float> %all, <4 x float> zeroinitializer" in before
    assert "<4 x i1> %less, <4 x float> %__ez_masked.0, <4 x float> zeroinitializer" in loop
    assert "-0.0" not in masked
    for word in (0b0101, 0b1111, 0):
        assert ran(masked, word) == ran(text, word)


def test_the_sign_of_zero_stays_where_it_matters() -> None:
    text = LOOP.replace("FLAGS ", "")
    masked = with_masks(text)
    assert "splat (float -0.000000e+00)" in masked
    assert "%__ez_masked.0" in masked


def test_choices_in_the_same_block_stay() -> None:
    assert with_masks(ONE_BLOCK) == ONE_BLOCK


def test_equal_choices_are_made_once() -> None:
    chosen = "  %chosen = select nsz <4 x i1> %both, <4 x float> %all, <4 x float> zeroinitializer\n"
    again = chosen.replace("%chosen", "%again")
    text = LOOP.replace("FLAGS", "nsz").replace(chosen, chosen + again).replace("%chosen, %neg", "%again, %neg")
    masked = with_masks(text)
    assert masked.count("%__ez_masked.0 = ") == 1
    assert masked.count("%__ez_masked.1") == 0
    llvm.parse_assembly(masked).verify()


def test_none_before_another_phi() -> None:
    text = LOOP.replace("FLAGS", "nsz").replace(
        "  %put = insert", "  br label %more\nmore:\n  %fixed2 = phi <4 x i1> [ %fixed, %entry ]\n  %put = insert"
    )
    text = text.replace("<4 x i1> %fixed, ", "<4 x i1> %fixed2, ").replace("[ 0, %entry ]", "[ 0, %more ]")
    text = text.replace("<4 x float> %all, <4 x float> zero", "<4 x float> %late, <4 x float> zero")
    text = text.replace("  %put = insert", "  %late = phi <4 x float> [ zeroinitializer, %entry ]\n  %put = insert")
    masked = with_masks(text)
    assert "%__ez_masked" not in masked
    llvm.parse_assembly(masked).verify()


def test_text_without_choices() -> None:
    assert not has_choices("define void @f() {\n  ret void\n}\n")
    assert has_choices(LOOP.replace("FLAGS", "nsz"))
