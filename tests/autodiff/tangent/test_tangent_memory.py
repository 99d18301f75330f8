"""Memory in forward mode: what the primal does to its memory is done to shadow memory first."""

from enzyme_cc.autodiff.core.signature import Form
from tests.autodiff.sweeps import derivative


def tangent(body: str, declarations: str = "") -> list[str]:
    """The derivative of a function of a number %x and a pointer %p, both with shadows: %1 and %3."""
    text = f"{declarations}\ndefine double @f(double %x, ptr %p) {{\n{body}\n  ret double %v\n}}"
    return derivative(text, "dup dup", Form.TANGENT)


def test_a_load_has_a_load_from_the_shadow_beside_it() -> None:
    assert tangent("%v = load double, ptr %p")[:2] == ["%5 = load double, ptr %2", "%6 = load double, ptr %3"]


def test_a_store_stores_the_tangent_first() -> None:
    lines = tangent("store double %x, ptr %p\n%v = load double, ptr %p")
    assert lines[:2] == ["store double %1, ptr %3", "store double %0, ptr %2"]


def test_a_stored_constant_has_tangent_zero() -> None:
    lines = tangent("store double 2.0, ptr %p\n%v = load double, ptr %p")
    assert lines[0] == "store double 0x0000000000000000, ptr %3"


def test_the_shadow_of_an_allocation_begins_as_zero() -> None:
    body = "%q = call ptr @malloc(i64 8)\nstore double %x, ptr %q\n%v = load double, ptr %q"
    lines = tangent(body, "declare ptr @malloc(i64)")
    assert [line.split(" @")[1].split("(")[0] for line in lines if " call " in f" {line}"] == [
        "malloc",
        "malloc",
        "llvm.memset.p0.i64",
    ]


def test_a_copy_copies_the_shadow_too() -> None:
    copy = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
    body = """%q = alloca double
call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 8, i1 false)
%v = load double, ptr %q"""
    copies = [line for line in tangent(body, copy) if "memcpy" in line]
    assert ["ptr %3" in copies[0], "ptr %2" in copies[1]] == [True, True]


def test_a_fill_makes_the_shadow_zero() -> None:
    fill = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"
    body = "call void @llvm.memset.p0.i64(ptr %p, i8 1, i64 8, i1 false)\n%v = load double, ptr %p"
    fills = [line for line in tangent(body, fill) if "memset" in line]
    assert ["ptr %3, i8 0" in fills[0], "ptr %2, i8 1" in fills[1]] == [True, True]
