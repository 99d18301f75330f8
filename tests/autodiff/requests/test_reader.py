"""What a request says, as a value."""

from __future__ import annotations

from textwrap import dedent

import pytest

from enzyme_cc.analysis.activity.activity import ArgumentActivity, ResultActivity
from enzyme_cc.autodiff.core.markers import Marker
from enzyme_cc.autodiff.core.signature import Team
from enzyme_cc.autodiff.requests.reader import read_request
from enzyme_cc.autodiff.requests.request import Request, find_requests
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Argument
from enzyme_cc.report.diagnostics import EnzymeError

CONST, DUP, OUT = ArgumentActivity.CONST, ArgumentActivity.DUP, ArgumentActivity.OUT
PROGRAM = dedent("""
    define double @f(ptr %p, double %x, i64 %n) {{
      ret double %x
    }}
    declare double @{kind}(...)
    define double @g(ptr %p, ptr %dp, double %x, i64 %n, ptr %tape) {{
      %d = call double (...) @{kind}({arguments})
      ret double %d
    }}
""")


def read(kind: str, *arguments: str) -> Request:
    markers = (f'metadata !"{a}"' if a.startswith("enzyme_") else a for a in ("ptr @f", *arguments))
    module = Module.parse(PROGRAM.format(kind=kind, arguments=", ".join(markers)))
    (found,) = find_requests(module)
    return read_request(module, found, custom=(), provenance=lambda name: None)


def test_defaults_by_type() -> None:
    """In reverse mode a pointer has a shadow, a number is returned, an integer is constant."""
    request = read("__enzyme_autodiff", "ptr %p", "ptr %dp", "double %x", "i64 %n")
    assert [a.activity for a in request.arguments] == [DUP, OUT, CONST]
    assert [len(a.shadows) for a in request.arguments] == [1, 0, 0]
    assert request.result is ResultActivity.ACTIVE


def test_forward_mode_takes_a_tangent_behind_each_number() -> None:
    request = read("__enzyme_fwddiff", "ptr %p", "ptr %dp", "double %x", "double 1.0", "i64 %n")
    assert [a.activity for a in request.arguments] == [DUP, DUP, CONST]


def test_markers_of_arguments() -> None:
    request = read("__enzyme_autodiff", "enzyme_const", "ptr %p", "enzyme_const", "double %x", "i64 %n")
    assert [a.activity for a in request.arguments] == [CONST, CONST, CONST]


def test_contents_that_the_caller_does_not_need() -> None:
    request = read("__enzyme_autodiff", "enzyme_dupnoneed", "ptr %p", "ptr %dp", "double %x", "i64 %n")
    assert [a.unneeded for a in request.arguments] == [True, False, False]


def test_flags() -> None:
    request = read("__enzyme_autodiff", "enzyme_runtime_activity", "ptr %p", "ptr %dp", "double %x", "i64 %n")
    assert request.flags == {Marker.RUNTIME_ACTIVITY}


def test_width_gives_each_argument_as_many_shadows() -> None:
    request = read("__enzyme_autodiff", "enzyme_width", "i64 2", "ptr %p", "ptr %dp", "ptr %dp", "double %x", "i64 %n")
    assert request.width == 2
    assert len(request.arguments[0].shadows) == 2


def test_interleaved_shadows_follow_all_primals() -> None:
    request = read("__enzyme_autodiff", "enzyme_interleave", "ptr %p", "double %x", "i64 %n", "ptr %dp")
    assert [shadow.name for shadow in request.arguments[0].shadows if isinstance(shadow, Argument)] == ["dp"]


def test_a_tape_follows_the_arguments_and_the_seed() -> None:
    request = read("__enzyme_reverse", "ptr %p", "ptr %dp", "double %x", "i64 %n", "double 1.0", "ptr %tape")
    tape = request.settings[Marker.TAPE]
    assert isinstance(tape, Argument) and tape.name == "tape"
    assert len(request.seeds) == 1


@pytest.mark.parametrize(
    "id_, arguments",
    [
        ("EZ0201", ["enzyme_maybe", "ptr %p", "ptr %dp", "double %x", "i64 %n"]),
        ("EZ0202", ["ptr %p", "ptr %dp", "double %x"]),
        ("EZ0202", ["ptr %p", "ptr %dp", "double %x", "i64 %n", "i64 %n"]),
        ("EZ0203", ["double %x", "ptr %dp", "double %x", "i64 %n"]),
        ("EZ0203", ["enzyme_out", "ptr %p", "double %x", "i64 %n"]),
        ("EZ0206", ["enzyme_width", "i64 %n", "ptr %p", "ptr %dp", "double %x", "i64 %n"]),
        ("EZ0206", ["enzyme_allocated", "i64 8", "ptr %p", "ptr %dp", "double %x", "i64 %n"]),
    ],
)
def test_refused(id_: str, arguments: list[str]) -> None:
    with pytest.raises(EnzymeError, match=id_):
        read("__enzyme_autodiff", *arguments)


def test_threads_share_shadows() -> None:
    words = "enzyme_shared", "ptr %p", "ptr %dp", "double %x", "i64 %n"
    assert read("__enzyme_autodiff", *words).signature.team is Team.SHARED
    assert read("__enzyme_autodiff", *words[1:]).signature.team is Team.NONE
    with pytest.raises(EnzymeError):
        read("__enzyme_fwddiff", *words)
