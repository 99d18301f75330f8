"""What is sure of the memory that a request passes."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.activity.activity import ArgumentActivity, ResultActivity
from enzyme_cc.autodiff.core.markers import RequestKind
from enzyme_cc.autodiff.requests.mistakes import Mistakes
from enzyme_cc.autodiff.requests.request import ActualArgument, Request
from enzyme_cc.autodiff.requests.uses_of_memory import OwnMemory
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Instruction
from enzyme_cc.report.diagnostics import Diagnostic, EnzymeError
from enzyme_cc.report.warning_options import tell

TEXT = """\
define void @caller(i64 %n) {
  %x = alloca [4 x double]
  %d = alloca [4 x double]
  %second = getelementptr [4 x double], ptr %d, i64 0, i64 1
  %zero = call ptr @calloc(i64 2, i64 8)
  %block = call ptr @malloc(i64 %n)
  %given = alloca double
  %shared = alloca [8 x float]
  call void @llvm.memset.p0.i64(ptr %zero, i8 0, i64 16, i1 false)
  store double 1.0, ptr %given
  call void @other(ptr %shared)
  %result = call double @__enzyme_autodiff(ptr @f, ptr %x, ptr %d)
  ret void
}

declare ptr @calloc(i64, i64)

declare ptr @malloc(i64)

declare void @other(ptr)

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

declare double @__enzyme_autodiff(ptr, ptr, ptr)
"""


def values() -> tuple[Module, dict[str, Instruction]]:
    module = Module.parse(TEXT)
    return module, {i.name: i for i in module.body("@caller").instructions()}


@pytest.mark.parametrize(
    ("name", "size", "uses"),
    [
        ("d", 32, set()),
        ("second", 24, set()),
        ("zero", 16, {"fill"}),
        ("block", None, set()),
        ("given", 8, {"write"}),
        ("shared", 32, {"escape"}),
    ],
)
def test_memory(name: str, size: int | None, uses: set[str]) -> None:
    module, named = values()
    memory = OwnMemory.of(module, named[name])
    assert memory is not None and (memory.size, memory.uses) == (size, uses)


@pytest.mark.parametrize(
    ("shadow", "ids"),
    [
        ("d", ["EZ0223"]),
        ("second", ["EZ0223", "EZ0224"]),
        ("x", ["EZ0222"]),
        ("shared", ["EZ0225"]),
        ("block", ["EZ0223"]),
    ],
)
def test_shadows(shadow: str, ids: list[str]) -> None:
    module, named = values()
    call = named["result"]
    actual = ActualArgument(ArgumentActivity.DUP, named["x"], (named[shadow],))
    caller = module.body("@caller")
    request = Request(RequestKind.AUTODIFF, call, caller, "@f", (actual,), ResultActivity.ACTIVE)
    assert [found.id for found in Mistakes(module, module, frozenset()).of([request])] == ids


@pytest.mark.parametrize(
    ("options", "severity"),
    [
        ((), "warning"),
        (("no-enzyme",), ""),
        (("no-enzyme", "enzyme-zero-seed"), "warning"),
        (("error=enzyme",), "error"),
        (("no-enzyme-zero-seed", "error=enzyme-zero-seed"), "error"),
        (("error=enzyme-zero-seed", "no-error=enzyme"), "warning"),
        (("error=enzyme-own-shadow",), "warning"),
    ],
)
def test_options(options: tuple[str, ...], severity: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        tell([Diagnostic("EZ0226", "no seed")], options)
    except EnzymeError as error:
        assert severity == "error" and "[-Werror,-Wenzyme-zero-seed]" in str(error)
    else:
        assert ("warning: no seed [EZ0226] [-Wenzyme-zero-seed]" in capsys.readouterr().err) == (severity == "warning")


def test_unknown_options_are_refused() -> None:
    with pytest.raises(EnzymeError, match="EZ0111"):
        tell([], ["no-enzyme-zero"])
