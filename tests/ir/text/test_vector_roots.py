"""Roots of vectors: what LLVM's vectoriser takes apart is one root again, and computes the same."""

from __future__ import annotations

import ctypes

import llvmlite.binding as llvm
import pytest

from enzyme_cc.ir import llvm_passes
from enzyme_cc.ir.text.vector_roots import has_roots, with_vector_roots

LOOP = """
target triple = "x86_64-unknown-linux-gnu"
define void @f(ptr noalias %a, ptr noalias %b) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds TYPE, ptr %a, i64 %i
  %q = getelementptr inbounds TYPE, ptr %b, i64 %i
  %x = load TYPE, ptr %p
  %root = tail call FLAGS noundef TYPE @llvm.sqrt.BITS(TYPE nofpclass(nan inf) %x)
  %sum = fadd TYPE %root, %x
  store TYPE %sum, ptr %q
  %next = add i64 %i, 1
  %is = icmp eq i64 %next, 67
  br i1 %is, label %end, label %loop
end:
  ret void
}
declare TYPE @llvm.sqrt.BITS(TYPE)
"""
APART = """
define <2 x double> @f(<2 x double> %v) {
  %e0 = extractelement <2 x double> %v, i64 FIRST
  %e1 = extractelement <2 x double> %v, i64 1
  %r0 = call nsz double @llvm.sqrt.f64(double %e0)
  %r1 = call nsz double @llvm.sqrt.f64(double %e1)
  %i0 = insertelement <2 x double> poison, double %r0, i64 0
  %i1 = insertelement <2 x double> %i0, double %r1, i64 1
  USE
  ret <2 x double> %i1
}
declare double @llvm.sqrt.f64(double)
declare void @use(double)
"""


@pytest.mark.parametrize("type_, bits, number", [("float", "f32", ctypes.c_float), ("double", "f64", ctypes.c_double)])
@pytest.mark.parametrize("flags", ["fast", "nsz arcp contract"])
def test_loops(type_: str, bits: str, number: type[ctypes.c_float | ctypes.c_double], flags: str) -> None:
    text = LOOP.replace("TYPE", type_).replace("BITS", bits).replace("FLAGS", flags)
    module = llvm_passes.parse(text)
    llvm_passes.optimise(module, 3, vectorise=True)
    joined = with_vector_roots(str(module))
    assert f"@llvm.sqrt.v{'4f32' if bits == 'f32' else '2f64'}(" in joined
    made = llvm_passes.parse(joined)
    llvm_passes.verify(made)
    machine = llvm_passes.target_machine()
    engine = llvm.create_mcjit_compiler(made, machine)
    engine.finalize_object()
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(engine.get_function_address("f"))
    given, found = (number * 67)(*range(67)), (number * 67)()
    function(given, found)
    assert list(found) == pytest.approx([x + x**0.5 for x in range(67)], rel=1e-6)


def test_elements_in_their_places() -> None:
    joined = with_vector_roots(APART.replace("FIRST", "0").replace("USE", ""))
    assert "%i1 = call nsz <2 x double> @llvm.sqrt.v2f64(<2 x double> %v)" in joined
    assert "%e0" not in joined and "%r1" not in joined
    llvm_passes.verify(llvm_passes.parse(joined))


def test_debug_records_of_elements() -> None:
    """A root that only a debugger looks at is joined, too."""
    text = APART.replace("FIRST", "0").replace("USE", "  #dbg_value(double %r0, !1, !DIExpression(), !2)")
    joined = with_vector_roots(text)
    assert "#dbg_value(double poison, !1" in joined and "sqrt.v2f64" in joined


@pytest.mark.parametrize(
    "first, use", [("1", ""), ("0", "call void @use(double %r0)"), ("0", "%x = extractelement <2 x double> %i0, i64 0")]
)
def test_other_roots_are_left_alone(first: str, use: str) -> None:
    text = APART.replace("FIRST", first).replace("USE", use)
    assert with_vector_roots(text) == text


def test_text_without_roots() -> None:
    assert has_roots(LOOP.replace("BITS", "f64")) and not has_roots("define void @f() {\n  ret void\n}\n")
