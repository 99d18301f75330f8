"""Headers of functions and lines of globals."""

from __future__ import annotations

import pytest

from enzyme_cc.ir.text.context import Context
from enzyme_cc.ir.text.headers import parse_global, parse_header, parse_line
from enzyme_cc.ir.text.lexer import IRSyntaxError
from enzyme_cc.ir.types import DOUBLE, I32
from enzyme_cc.ir.values import Function, GlobalVariable


def header(line: str) -> Function:
    return parse_line(parse_header, Context(), "@f", line)


def variable(line: str) -> GlobalVariable:
    return parse_line(parse_global, Context(), "@g", line)


def test_a_header_has_words_before_the_type_and_behind_the_parameters() -> None:
    f = header('define internal fastcc noundef double @f(double noundef %x, i32, ...) #0 section "a"')
    assert (f.prefix, f.suffix) == ("internal fastcc noundef", '#0 section "a"')
    assert (f.type.result, f.type.params, f.type.vararg) == (DOUBLE, (DOUBLE, I32), True)
    assert [(a.name, a.attributes) for a in f.arguments] == [("x", "noundef"), ("", "")]


@pytest.mark.parametrize(
    "line", ["declare double @f(double", "declare double f(double)", "declare double @f(double ..."]
)
def test_a_header_that_is_cut_off_is_an_error(line: str) -> None:
    with pytest.raises(IRSyntaxError):
        header(line)


@pytest.mark.parametrize(
    "line, linkage, constant, external",
    [
        ("@g = internal unnamed_addr constant double 1.0, align 8", "internal", True, False),
        ("@g = external thread_local(initialexec) global double", "external", False, True),
        ("@g = weak_odr global double 1.0", "weak_odr", False, False),
    ],
)
def test_a_global_tells_linkage_and_whether_it_changes(line: str, linkage: str, constant: bool, external: bool) -> None:
    g = variable(line)
    assert (g.linkage, g.constant, g.external) == (linkage, constant, external)
    assert g.thread_local is ("thread_local" in line)


def test_an_alias_has_the_constant_that_it_names() -> None:
    g = variable("@g = alias double, ptr @other")
    assert g.alias
    assert str(g.initializer) == "@other"


def test_a_global_without_a_type_is_an_error() -> None:
    with pytest.raises(IRSyntaxError):
        variable("@g = internal global")
