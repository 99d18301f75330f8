"""Signatures: what they mean, and what is said if they do not fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from enzyme_cc import CompileError, SignatureError
from enzyme_cc.functions.array_signature import parse
from enzyme_cc.functions.dimensions import Extent


@pytest.mark.parametrize(
    "text",
    ["x[n, 3], n, const mass[n] -> return", "inout x[n*(n+1)//2], n, out float32 y", "a, b -> float64 return", ""],
)
def test_text_of_a_signature_is_itself(text: str) -> None:
    assert str(parse(text)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x[n", r"'x\[n' is no parameter"),
        ("x[]", r"'x\[\]' has no dimension"),
        ("x[n!]", "'n!' is no dimension"),
        ("x[n**2], n", "is no dimension: it may have integers, names"),
        ("x, x", "x occurs twice"),
        ("big x", "'big x' has unknown words"),
        ("x -> y", "after -> stands return"),
    ],
)
def test_text_that_is_no_signature(text: str, message: str) -> None:
    with pytest.raises(SignatureError, match=message):
        parse(text)


def test_dimensions() -> None:
    triangle = Extent.parse("n*(n+1)//2")
    assert triangle.value({"n": 4}) == 10
    assert triangle.in_c({"n": "k"}) == "((k * (k + (int64_t)1)) / (int64_t)2)"
    assert Extent.parse("2*n+1").solved("n", 9, {}) == 4
    assert Extent.parse("2*n+1").solved("n", 8, {}) is None
    assert Extent.parse("n*m").solved("m", 6, {"n": 3}) == 2


@pytest.mark.parametrize(
    ("name", "signature", "message"),
    [
        ("combine", "x[n], n -> return", "the function's parameters are a, x, y, n, out; the signature has x, n"),
        ("combine", "a, x[n], y[n], n, out[n]", "there is no output"),
        ("combine", "a[n], x[n], y[n], n, out out[n]", "a is passed by value, so it cannot be an array"),
        ("combine", "a, inout x[n], y[n], n, out out[n]", r"x is const double \*, so it cannot be inout"),
        ("combine", "a, x[a], y[n], n, out out[n]", "a is a dimension, so it must be an integer"),
        ("combine", "a, float32 x[n], y[n], n, out out[n]", "x is float64, not float32"),
        ("chain", "x[n], n, y[n] -> return", "the function returns void"),
    ],
)
def test_signatures_that_do_not_fit(build: Callable[..., Any], name: str, signature: str, message: str) -> None:
    with pytest.raises(SignatureError, match=message) as raised:
        build("shapes.c", name, signature)
    assert "prototype: void " in str(raised.value) and "start from: '" in str(raised.value)


def test_signature_from_the_prototype_alone(build: Callable[..., Any]) -> None:
    assert str(build("shapes.c", "squares").interface.signature) == "inp[n], n, out out[n]"
    assert str(build("shapes.c", "energy").interface.signature) == "x[n], n, mass[n] -> return"
    with pytest.raises(SignatureError, match="the prototype does not show which parameter is the output"):
        build("shapes.c", "in_place")


def test_functions_that_cannot_be_called(build: Callable[..., Any]) -> None:
    with pytest.raises(SignatureError, match="remedy: write a function of numbers and arrays that calls of_vector"):
        build("shapes.cpp", "of_vector", "v[3] -> return")
    with pytest.raises(SignatureError, match="_Z10overloadedf: float overloaded"):
        build("shapes.cpp", "overloaded", "x -> return")
    with pytest.raises(CompileError, match="a static function must lose its static"):
        build("shapes.cpp", "hidden", "x -> return")
