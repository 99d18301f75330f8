"""Requests without derivatives: they run their function, and their value is zero."""

from __future__ import annotations

import re

import pytest

from enzyme_cc.autodiff import Options, answered_plainly
from enzyme_cc.report import EnzymeError

TEXT = """\
define double @f(double %x) {
  ret double %x
}

define double @caller(double %x) {
  %1 = call double (ptr, ...) @REQUEST(ptr @f, double %x)
  ret double %1
}

declare double @REQUEST(ptr, ...)
"""


def answered(request: str, text: str = TEXT) -> str:
    return answered_plainly(text.replace("REQUEST", request), Options(verify=True), lambda name: None)


def test_a_request_runs_its_function_and_gives_zero() -> None:
    text = answered("__enzyme_autodiff")
    (name,) = re.findall(r"call double @(__ez_profiled[.\d]*)\(double %x\)", text)
    body = text[text.index(f"define internal double @{name}(") :]
    calls = re.findall(r"call \w+ @(\w+)\(", body[: body.index("}")])
    assert calls == ["__ez_begin_noting", "f", "__ez_end_noting"]
    assert re.search(r"ret double (0\.0|0x0)", text)


def test_a_reverse_sweep_runs_nothing() -> None:
    text = answered(
        "__enzyme_reverse", TEXT.replace("double %x)\n  ret double %1", "double %x, ptr null)\n  ret double %1")
    )
    assert "__ez_profiled" not in text and "call double (ptr, ...)" not in text


def test_what_is_no_request_is_refused() -> None:
    with pytest.raises(EnzymeError, match="EZ0202"):
        answered("__enzyme_autodiff", TEXT.replace(", double %x)\n  ret double %1", ")\n  ret double %1"))
