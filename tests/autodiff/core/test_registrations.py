"""What a program declares about its functions, by constant globals with known prefixes."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.core.registrations import Registrations, read_registrations
from enzyme_cc.ir.module import Module
from enzyme_cc.report.diagnostics import EnzymeError
from enzyme_cc.rules.knowledge import CalleeKind

FUNCTIONS = """
declare double @f(double)
declare double @sin(double)
declare double @llvm.sin.f64(double)
declare ptr @augmented(ptr)
declare void @reverse(ptr)
declare ptr @take(i64)
declare void @give(i64, ptr)
@number = external global double
@name = private constant [4 x i8] c"sin\\00"
@operands = private constant [5 x i8] c"0,-1\\00"
"""


def read(text: str) -> Registrations:
    return read_registrations(Module.parse(FUNCTIONS + text))


def test_inactive_functions_and_globals() -> None:
    found = read("@__enzyme_inactivefn_1 = global ptr @f\n@__enzyme_inactive_global_1 = global ptr @number\n")
    assert (found.inactive, found.globals) == ({"@f"}, {"@number"})


def test_a_function_like_a_known_one() -> None:
    found = read("@__enzyme_function_like_1 = global [2 x ptr] [ptr @f, ptr @name]\n")
    assert found.like == {"@f": "sin"}


def test_a_gradient_of_sin_holds_for_the_intrinsic() -> None:
    found = read("@__enzyme_register_gradient_1 = global [3 x ptr] [ptr @sin, ptr @augmented, ptr @reverse]\n")
    assert found.gradients == dict.fromkeys(("@sin", "@llvm.sin.f64"), ("@augmented", "@reverse"))
    assert found.custom == {"@sin", "@llvm.sin.f64"}


def test_an_allocation_says_what_frees_it() -> None:
    entries = "ptr @take, ptr null, ptr @operands, ptr @give"
    found = read(f"@__enzyme_allocation_like_1 = global [4 x ptr] [{entries}]\n")
    take, give = found.known["@take"], found.known["@give"]
    assert (take.size_operands, take.release, take.release_operands) == ((0,), "give", (0, -1))
    assert (give.kind, give.pointer) == (CalleeKind.FREE, 1)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("register_gradient", "[2 x ptr] [ptr @f, ptr @augmented]", "3 functions or globals are expected"),
        ("function_like", "[2 x ptr] [ptr @f, ptr @sin]", "entry 2 is not a string"),
        ("register_checkpoint", "[1 x ptr] [ptr @f]", "a step and a number of states"),
    ],
)
def test_a_malformed_registration_is_refused(name: str, value: str, reason: str) -> None:
    with pytest.raises(EnzymeError) as error:
        read(f"@__enzyme_{name}_1 = global {value}\n")
    assert error.value.diagnostics[0].id == "EZ0207"
    assert reason in error.value.diagnostics[0].reason
