"""The body of a lowered copy: each way out of it with an exception is a return."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import pytest

from enzyme_cc.autodiff.unwinding.body import Body
from enzyme_cc.ir.constants import Constant
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Function, Instruction, Value
from enzyme_cc.ir.verify import verify_module
from enzyme_cc.report.diagnostics import EnzymeError

from ..normalise.rewriting import lines

DECLARATIONS = """
@_ZTId = external constant ptr
declare i32 @__gxx_personality_v0(...)
declare void @step()
declare void @__cxa_rethrow()
declare ptr @__cxa_allocate_exception(i64)
declare void @_ZSt17current_exceptionv(ptr)
declare void @_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE(ptr)
declare i32 @llvm.eh.typeid.for.p0(ptr)
"""


_RETHROW = "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE"


@dataclass
class NoCopies:
    """Callees of which none has a lowered copy; calls of @step may throw, and are made through @step itself."""

    module: Module
    noted: list[Instruction] = field(default_factory=list)

    def may_throw(self, call: Instruction) -> bool:
        return str(call.callee) == "@step"

    def lowered(self, name: str) -> Function | None:
        return None

    def dispatcher(self, call: Instruction) -> Function | None:
        return None

    def around_native(self, call: Instruction, name: str) -> Function:
        return self.module.functions[name]

    def selector(self, type_info: Constant) -> int:
        return 7

    def is_native(self, type_info: Value, destructor: Value) -> bool:
        return False

    def note_thrown(self, throw: Instruction) -> None:
        self.noted.append(throw)

    def note_readopted(self, request: Instruction) -> None:
        self.noted.append(request)


def lowered(body: str, head: str = "void @f(ptr %p)") -> list[str]:
    text = "\n".join(f"  {line}" if not line.endswith(":") else line for line in lines(body))
    module = Module.parse(f"{DECLARATIONS}define {head} personality ptr @__gxx_personality_v0 {{\n{text}\n}}\n")
    Body(module.body("@f"), NoCopies(module), "f").lower()
    verify_module(module, "the test")
    found = re.search(r"^define .*?@f\(.*?\n(.*?)^\}", str(module), re.M | re.S)
    assert found is not None
    return lines(found[1])


def test_a_call_that_may_throw_is_followed_by_a_look_at_the_exception_in_flight() -> None:
    assert lowered("  call void @step()\n  ret void") == lines("""
          call void @step()
          call void @__ez_unwind_adopt(ptr %unwinding)
          %1 = load ptr, ptr %unwinding
          %2 = icmp ne ptr %1, null
          br i1 %2, label %4, label %3
        3:
          ret void
        4:
          ret void
    """)


def test_a_call_that_does_not_throw_is_kept() -> None:
    assert lowered("  %e = call ptr @__cxa_allocate_exception(i64 8)\n  ret void") == lines("""
          %e = call ptr @__cxa_allocate_exception(i64 8)
          ret void
    """)


def test_the_memory_of_an_exception_is_whole_words() -> None:
    assert "%e = call ptr @__cxa_allocate_exception(i64 16)" in lowered(
        "  %e = call ptr @__cxa_allocate_exception(i64 9)\n  ret void"
    )


def test_a_function_that_is_left_by_an_exception_returns_zero() -> None:
    found = lowered("  call void @__cxa_rethrow()\n  unreachable", "double @f(ptr %p)")
    assert found[0] == "call void @__ez_unwind_rethrow(ptr %unwinding)"
    assert found[-1] == "ret double 0x0000000000000000"


def test_a_resumed_exception_is_in_flight_again() -> None:
    found = lowered("""
      invoke void @step() to label %ok unwind label %pad
    ok:
      ret void
    pad:
      %all = landingpad { ptr, i32 } cleanup
      resume { ptr, i32 } %all
    """)
    assert [line for line in found if line.startswith("store ptr")] == [
        "store ptr null, ptr %unwinding",
        next(line for line in found if re.fullmatch(r"store ptr %\d+, ptr %unwinding", line)),
    ]


def test_a_question_for_the_number_of_a_type_is_answered() -> None:
    found = lowered("  %k = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTId)\n  store i32 %k, ptr %p, align 4\n  ret void")
    assert found[0] == "store i32 7, ptr %p, align 4"


def test_the_caught_exception_is_kept() -> None:
    found = lowered("  %q = alloca ptr\n  call void @_ZSt17current_exceptionv(ptr sret(ptr) %q)\n  ret void")
    assert "call void @__ez_unwind_keep_caught(ptr %q, ptr %unwinding)" in found


def test_a_kept_exception_is_thrown_again() -> None:
    found = lowered(f"  %q = alloca ptr\n  call void @{_RETHROW}(ptr %q)\n  unreachable")
    assert "call void @__ez_unwind_throw_kept(ptr %q, ptr %unwinding)" in found
    assert "ret void" in found


def test_an_exception_specification_is_refused() -> None:
    with pytest.raises(EnzymeError, match="EZ0307") as found:
        lowered("""
          invoke void @step() to label %ok unwind label %pad
        ok:
          ret void
        pad:
          %all = landingpad { ptr, i32 } filter [1 x ptr] [ptr @_ZTId]
          resume { ptr, i32 } %all
        """)
    assert found.value.diagnostics[0].message == "an exception specification"
