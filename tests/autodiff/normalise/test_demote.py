"""Words that may be a number or something else are kept in memory."""

from __future__ import annotations

from textwrap import dedent
from unittest.mock import MagicMock

import pytest

from enzyme_cc.analysis.type_analysis.analysis import TypeAnalysis
from enzyme_cc.autodiff import preparation
from enzyme_cc.autodiff.core.pass_table import Pass
from enzyme_cc.autodiff.normalise.bits.parts_of_words import load_as_read, store_as_made
from enzyme_cc.autodiff.normalise.demote import demote_mixed_words
from enzyme_cc.ir.module import Module

from .rewriting import becomes, body, lines


def test_a_word_that_is_read_as_a_number_is_loaded_as_one() -> None:
    becomes(
        lambda _, function: load_as_read(function),
        """
        define double @f(ptr %p, ptr %q) {
          %bits = load i64, ptr %p, align 8
          store i64 %bits, ptr %q, align 8
          %x = bitcast i64 %bits to double
          ret double %x
        }
        """,
        """
          %1 = load double, ptr %p, align 8
          %bits = load i64, ptr %p, align 8
          store i64 %bits, ptr %q, align 8
          ret double %1
        """,
    )


def test_a_vector_of_floats_that_is_stored_as_an_integer_is_stored_as_it_is() -> None:
    becomes(
        lambda _, function: store_as_made(function),
        """
        define void @f(<2 x float> %pair, ptr %p) {
          %bits = bitcast <2 x float> %pair to i64
          store i64 %bits, ptr %p, align 8
          ret void
        }
        """,
        """
          %bits = bitcast <2 x float> %pair to i64
          store <2 x float> %pair, ptr %p, align 8
          ret void
        """,
    )


def test_a_register_that_moves_a_union_becomes_a_copy_in_memory() -> None:
    """The word is a number or a pointer: a register would have an adjoint or a shadow, memory can have either."""
    text = dedent("""
        define double @f(i1 %c, double %x, ptr %p) {
          %union = alloca i64, align 8
          %copy = alloca i64, align 8
          br i1 %c, label %number, label %pointer
        number:
          store double %x, ptr %union, align 8
          br label %move
        pointer:
          store ptr %p, ptr %union, align 8
          br label %move
        move:
          %word = load ptr, ptr %union, align 8
          store ptr %word, ptr %copy, align 8
          br i1 %c, label %use, label %leave
        use:
          %y = load double, ptr %copy, align 8
          ret double %y
        leave:
          %z = load ptr, ptr %copy, align 8
          %v = load double, ptr %z, align 8
          ret double %v
        }
        declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
    """)
    module = Module.parse(text)
    function = module.body("@f")
    assert demote_mixed_words([function], TypeAnalysis(module, [function], ["@f"]))
    after = body(str(module))
    start = after.index("move:")
    assert after[start : start + 3] == lines("""
        move:
          call void @llvm.memcpy.p0.p0.i64(ptr %1, ptr %union, i64 8, i1 false)
          call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %1, i64 8, i1 false)
    """)


def test_a_word_that_is_stored_where_it_points_is_moved_once() -> None:
    """A link that leads to itself: as an address the word stays in a register, which must not ask for a slot again."""
    text = dedent("""
        define void @f(i1 %c, double %x, ptr %p) {
          %union = alloca i64, align 8
          store ptr %union, ptr %union, align 8
          %word = load ptr, ptr %union, align 8
          store ptr %word, ptr %word, align 8
          store double %x, ptr %union, align 8
          ret void
        }
        declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
    """)
    module = Module.parse(text)
    function = module.body("@f")
    assert demote_mixed_words([function], TypeAnalysis(module, [function], ["@f"]))
    assert lines("""
          call void @llvm.memcpy.p0.p0.i64(ptr %1, ptr %union, i64 8, i1 false)
          %word = load ptr, ptr %union, align 8
          call void @llvm.memcpy.p0.p0.i64(ptr %word, ptr %1, i64 8, i1 false)
    """) == [line for line in body(str(module)) if "memcpy" in line or "%word" in line]
    assert not demote_mixed_words([function], TypeAnalysis(module, [function], ["@f"]))


@pytest.mark.parametrize(
    "name, parent, is_number",
    [
        ("double", "omnipotent char", True),
        ("dummy arg data", "any data access", True),
        ("omnipotent char", "Simple C/C++ TBAA", False),
    ],
    ids=["C", "Fortran", "open"],
)
def test_a_declared_number_stays_in_a_register_where_pointers_lie_at_other_times(
    name: str, parent: str, is_number: bool
) -> None:
    """A matrix may lie in the object that points at it: what swaps its rows need not ask what the words are."""
    text = dedent(f"""
        define double @f(i1 %c, double %x, ptr %p) {{
          %union = alloca i64, align 8
          %copy = alloca i64, align 8
          store ptr %p, ptr %union, align 8
          %q = load ptr, ptr %union, align 8
          store ptr %q, ptr %copy, align 8
          store double %x, ptr %union, align 8
          %word = load double, ptr %union, align 8, !tbaa !0
          store double %word, ptr %copy, align 8
          %y = load double, ptr %copy, align 8
          ret double %y
        }}
        declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
        !0 = !{{!1, !1, i64 0}}
        !1 = !{{!"{name}", !2, i64 0}}
        !2 = !{{!"{parent}", !3, i64 0}}
        !3 = !{{!"root"}}
    """)
    module = Module.parse(text)
    function = module.body("@f")
    demote_mixed_words([function], TypeAnalysis(module, [function], ["@f"]))
    assert any("%word = load double" in line for line in body(str(module))) == is_number


def test_declared_integers_that_code_computes_with_stay_in_registers() -> None:
    """Counters lie where numbers lie at other times. Read from the slot, a counter would be an unknown integer."""
    text = dedent("""
        define i64 @f(i1 %c, double %x, i64 %n) {
          %one = alloca i64, align 8
          %other = alloca i64, align 8
          %copy = alloca i64, align 8
          br i1 %c, label %number, label %counter
        number:
          store double %x, ptr %one, align 8
          store double %x, ptr %other, align 8
          br label %move
        counter:
          %m = mul i64 %n, 3
          store i64 %m, ptr %one, align 8, !tbaa !0
          store i64 2, ptr %other, align 8, !tbaa !0
          br label %move
        move:
          br i1 %c, label %left, label %right
        left:
          %a = load i64, ptr %one, align 8, !tbaa !0
          br label %join
        right:
          %b = load i64, ptr %other, align 8, !tbaa !0
          br label %join
        join:
          %word = phi i64 [ %a, %left ], [ %b, %right ]
          store i64 %word, ptr %copy, align 8, !tbaa !0
          %most = call i64 @llvm.umax.i64(i64 %word, i64 7)
          %y = load double, ptr %copy, align 8
          %z = fptoui double %y to i64
          %both = xor i64 %most, %z
          ret i64 %both
        }
        declare i64 @llvm.umax.i64(i64, i64)
        declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
        !0 = !{!1, !1, i64 0}
        !1 = !{!"long", !2, i64 0}
        !2 = !{!"omnipotent char", !3, i64 0}
        !3 = !{!"Simple C/C++ TBAA"}
    """)
    module = Module.parse(text)
    function = module.body("@f")
    assert demote_mixed_words([function], TypeAnalysis(module, [function], ["@f"]))
    after = body(str(module))
    start = after.index("join:")
    assert after[start : start + 5] == lines("""
        join:
          %word = phi i64 [ %a, %left ], [ %b, %right ]
          call void @llvm.memcpy.p0.p0.i64(ptr %3, ptr %1, i64 8, i1 false)
          call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %3, i64 8, i1 false)
          %most = call i64 @llvm.umax.i64(i64 %word, i64 7)
    """)


def test_words_that_come_back_each_time_are_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    function = Module.parse("define void @f() {\n  ret void\n}\n").body("@f")
    demoted = Pass(lambda functions, types: [function], "functions types", "rewritten", why="for this test")
    monkeypatch.setattr(preparation, "MOVED_PARTS", ())
    monkeypatch.setattr(preparation, "DEMOTED", (demoted,))
    with pytest.raises(RuntimeError, match="in f, words move to memory again and again"):
        preparation.without_mixed_words(MagicMock(), MagicMock(), [function])
