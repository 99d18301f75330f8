"""Texts as arguments: characters of C that end with a zero, and Fortran's with their hidden lengths."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import enzyme_cc

X = np.array([1.0, 2, 3])
SOURCES = Path(__file__).parent / "sources"


def test_texts_of_c(build: Callable[..., Any]) -> None:
    f = build("texts.c", "powers", "string method, x[n], n, string scale -> return")
    assert f("square", X, "2.5") == 35 and f(method=b"other", x=X, scale="0.5") == 3
    np.testing.assert_allclose(f.grad("square", X, "2.5"), 5 * X)
    np.testing.assert_allclose(f.grad("", X, "-1"), -1)
    assert bool(f.check("square", X, "3"))
    with pytest.raises(ValueError, match="scale: the text has a zero byte"):
        f("square", X, "1\0")
    with pytest.raises(TypeError, match="method: wanted an array, string method; got list"):
        f([1], X, "1")


def test_texts_of_fortran_have_hidden_lengths_and_blanks(build: Callable[..., Any]) -> None:
    f = build("texts.f90", "powers", "string method, x[n], n, string tag, out y")
    assert f("square", X, "twice") == 2 * 14 * 6 and f("abc", X, "once") == 6 * 3
    np.testing.assert_allclose(f.grad("square", X, "twice"), 24 * X)


def test_a_constructor_takes_texts() -> None:
    library = enzyme_cc.library(SOURCES / "texts.c")
    opened = library.constructor("model_open")("four")
    assert library.function("model_value", "handle model, x -> return").grad(opened, 3.0) == 24


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("string method, string x, n, string scale -> return", "x is const double \\*, which is no string"),
        ("string method[3], x[n], n, string scale -> return", "is a string, which has a name alone"),
        ("x[n] -> return", r"start from: 'string method, x\[n\], n, scale"),
    ],
)
def test_signatures_that_cannot_be(signature: str, message: str) -> None:
    with pytest.raises(enzyme_cc.SignatureError, match=message):
        enzyme_cc.function(SOURCES / "texts.c", "powers", signature)
