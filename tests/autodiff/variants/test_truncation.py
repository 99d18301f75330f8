"""Copies that compute in a narrower format."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.core.options import Options
from enzyme_cc.autodiff.variants.truncation import truncate, truncate_all
from enzyme_cc.ir.module import Module
from enzyme_cc.report.diagnostics import EnzymeError

from .asking import body

MODULE = """
declare ptr @__enzyme_truncate_op_func(...)
declare ptr @__enzyme_truncate_mem_func(...)
declare double @__enzyme_truncate_mem_value(...)
declare double @sqrt(double)
declare double @llvm.fma.f64(double, double, double)
declare void @unknown(ptr)
define double @f(double %x, ptr %p) {{
  {body}
}}
define ptr @g() {{
  %r = call ptr (...) @__enzyme_truncate_{kind}_func(ptr @f, i32 64, {to})
  ret ptr %r
}}
define double @value(double %x) {{
  %r = call double (...) @__enzyme_truncate_mem_value(double %x, i32 64, i32 32)
  ret double %r
}}
"""
PRODUCT = "%y = fmul double %x, %x\n  ret double %y"


def truncated(code: str, kind: str = "op", to: str = "i32 32") -> str:
    module = Module.parse(MODULE.format(body=code, kind=kind, to=to))
    assert truncate(module, Options()) == ""
    return str(module)


def test_operations_compute_in_the_type_and_values_keep_theirs() -> None:
    assert body(truncated(PRODUCT), "f.truncated") == [
        "%1 = fptrunc double %x to float",
        "%2 = fptrunc double %x to float",
        "%3 = fmul float %1, %2",
        "%4 = fpext float %3 to double",
        "ret double %4",
    ]


def test_operations_in_other_formats_are_calls_of_the_runtime() -> None:
    found = body(truncated(PRODUCT, to="i32 8, i32 7"), "f.truncated")
    assert found[-2:] == ["%3 = call double @__ez_format_multiply(double %1, double %2, i32 8, i32 7)", "ret double %3"]


def test_a_function_of_the_library_is_called_in_the_type() -> None:
    found = body(truncated("%y = call double @sqrt(double %x)\n  ret double %y"), "f.truncated")
    assert "%2 = call float @sqrtf(float %1)" in found


def test_what_is_in_memory_is_rounded_in_mem_mode_only() -> None:
    load = "%y = load double, ptr %p\n  ret double %y"
    assert "fptrunc" not in "\n".join(body(truncated(load), "f.truncated"))
    assert "fptrunc" in "\n".join(body(truncated(load, "mem"), "f.truncated"))


def test_a_value_is_rounded_in_place() -> None:
    assert body(truncated(PRODUCT), "value(") == [
        "%1 = fptrunc double %x to float",
        "%2 = fpext float %1 to double",
        "ret double %2",
    ]


def test_code_that_is_not_known_is_refused() -> None:
    with pytest.raises(EnzymeError, match="EZ0215"):
        truncated("call void @unknown(ptr %p)\n  ret double %x")


def test_an_option_truncates_all_functions_but_what_is_not_in_the_module() -> None:
    text = MODULE.format(body=f"call void @unknown(ptr %p)\n  {PRODUCT}", kind="op", to="i32 32")
    found = body(truncate_all(text, Options(truncation="64to32")), "f(")
    assert found[0] == "call void @unknown(ptr %p)"
    assert "%3 = fmul float %1, %2" in found
