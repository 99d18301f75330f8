"""Modules for tests of analyses: C through clang and the pipeline that the engine runs, or IR written by hand."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache

import pytest

from enzyme_cc.analysis.type_analysis.analysis import Kind, Layout, TypeAnalysis
from enzyme_cc.ir import llvm_passes
from enzyme_cc.ir.cfg import ControlFlow
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Function, Instruction, Value

CLANG = shutil.which("clang-22") or shutil.which("clang")
LEVELS = ("-O0", "-O1", "-O2")
_FLAGS = ("-Xclang", "-disable-O0-optnone", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", "-")


#: a thread that waits for a change of memory
SPIN_LOOP = """
define void @f(ptr %p) {
entry:
  br label %loop
loop:
  %v = load atomic i32, ptr %p acquire, align 4
  %done = icmp ne i32 %v, 0
  br i1 %done, label %end, label %loop
end:
  ret void
}
"""


@cache
def compile_c(source: str, level: str = "-O2", language: str = "c", *flags: str) -> str:
    """LLVM text of the source, optimised as the engine does; functions are kept from being inlined by `noinline`."""
    if CLANG is None:
        pytest.skip("no clang")
    command = [CLANG, "-x", language, level, *flags, *_FLAGS, "-"]
    text = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    module = llvm_passes.parse(text)
    llvm_passes.optimise(module)
    return str(module)


class Analysed:
    """A module with the type analysis of its functions."""

    def __init__(self, text: str, roots: list[str] | None = None) -> None:
        self.module = Module.parse(text)
        names = [n for n in self.module.functions if not self.module.functions[n].is_declaration]
        self.functions = {n: self.module.body(n) for n in names}
        self.types = TypeAnalysis(self.module, self.functions.values(), roots)

    def function(self, name: str) -> Function:
        return self.functions[f"@{name}"]

    def flow(self, name: str) -> ControlFlow:
        return ControlFlow(self.function(name))

    def all(self, name: str, opcode: str) -> list[Instruction]:
        return [i for i in self.function(name).instructions() if i.opcode == opcode]

    def calls(self, name: str, callee: str) -> list[Instruction]:
        return [i for i in self.all(name, "call") if callee in str(i.callee)]

    def layout(self, pointer: Value, size: int | None) -> str:
        return show(self.types.contents(pointer, size).layout)


def show(layout: Layout | None) -> str:
    """A layout in one line: `8: 0+4 integer, 4+4 float` (`-` for no period)."""
    if layout is None:
        return "unknown"
    period = "-" if layout.period is None else str(layout.period)
    return f"{period}: " + ", ".join(f"{s.offset}+{s.length} {s.kind.value}" for s in layout.segments)


def from_c(source: str, level: str = "-O2", language: str = "c", roots: list[str] | None = None) -> Analysed:
    return Analysed(compile_c(source, level, language), roots)


__all__ = ["LEVELS", "Analysed", "Kind", "compile_c", "from_c", "show"]
