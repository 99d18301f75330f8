"""LLVM's pipelines in a process of clang and in this one: the same code, the same errors, and crashes that are told."""

from __future__ import annotations

import os
import re
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from enzyme_cc.ir import llvm_passes
from enzyme_cc.ir.back_ends import BackEnd, Clang, InProcess, back_end

MODULE = """
target triple = "x86_64-unknown-linux-gnu"

define double @sum(ptr noalias %numbers, i64 %count) "null_pointer_is_valid" {
entry:
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %further, %next ]
  %total = phi double [ 0.0, %entry ], [ %more, %next ]
  %place = getelementptr double, ptr %numbers, i64 %k
  %number = load double, ptr %place
  %twice = fmul double %number, 2.0
  %more = fadd fast double %total, %twice
  %further = add i64 %k, 1
  %is_done = icmp eq i64 %further, %count
  br i1 %is_done, label %end, label %next
end:
  ret double %more
}
"""
INVALID = MODULE.replace("add i64 %k, 1", "add i64 %missing, 1")
_WORDS, _UPDATES = 128, 8192
LONG_BLOCK = "\n".join(
    [
        "define void @update(ptr %numbers) {",
        *(f"  %p{k} = getelementptr double, ptr %numbers, i64 {k}" for k in range(_WORDS)),
        *(
            f"  %v{k} = load double, ptr %p{k % _WORDS}\n  %w{k} = load double, ptr %p{(k * 7 + 3) % _WORDS}\n"
            f"  %n{k} = fmul double %v{k}, %w{k}\n  store double %n{k}, ptr %p{k % _WORDS}"
            for k in range(_UPDATES)
        ),
        "  ret void\n}\n",
    ]
)
CLANG = shutil.which(f"clang-{llvm_passes.version()[0]}")
BOTH: list[BackEnd] = [InProcess(), *([Clang(CLANG)] if CLANG else [])]


def functions(text: str) -> list[str]:
    return re.findall(r"^define .*?^}$", re.sub(r" *; preds.*", "", text), re.MULTILINE | re.DOTALL)


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], str]:
    """Writes a program in the place of clang."""

    def write(script: str) -> str:
        path = tmp_path / "clang"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    return write


@pytest.mark.skipif(not CLANG, reason="no clang of llvmlite's LLVM")
def test_both_make_the_same_code() -> None:
    ours, theirs = (
        [end.simplify(MODULE), end.optimise(MODULE, huge=False), end.optimise(MODULE, huge=True)] for end in BOTH
    )
    assert [functions(text) for text in ours] == [functions(text) for text in theirs]
    assert "<2 x double>" in ours[1] and "<2 x double>" not in ours[0]


@pytest.mark.parametrize("end", BOTH, ids=lambda end: type(end).__name__)
def test_numbers_of_a_long_block_are_in_registers(end: BackEnd) -> None:
    text = end.simplify(LONG_BLOCK)
    assert (text.count(" load double"), text.count(" store double")) == (_WORDS, _WORDS)
    assert text.count(" fmul double") == _UPDATES


@pytest.mark.parametrize("end", BOTH, ids=lambda end: type(end).__name__)
@pytest.mark.parametrize("pic", [True, False])
@pytest.mark.parametrize("huge", [True, False])
def test_objects_define_the_function(end: BackEnd, pic: bool, huge: bool, tmp_path: Path) -> None:
    made = [end.compile(MODULE, huge=huge, pic=pic), end.emit(end.optimise(MODULE, huge=huge), huge=huge, pic=pic)]
    for number, data in enumerate(made):
        path = tmp_path / f"{number}.o"
        path.write_bytes(data)
        assert " T sum" in subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("end", BOTH, ids=lambda end: type(end).__name__)
def test_an_invalid_module_is_an_error(end: BackEnd) -> None:
    for action in (end.simplify, lambda text: end.compile(text, huge=False, pic=True)):
        with pytest.raises(llvm_passes.LLVMError, match="missing"):
            action(INVALID)


@pytest.mark.parametrize("said, is_used", [("22.1.7", True), ("19.1.7", False), ("", False), ("git", False)])
def test_only_a_clang_of_the_same_llvm_is_used(program: Callable[[str], str], said: str, is_used: bool) -> None:
    assert isinstance(back_end(program(f"echo {said}")), Clang if is_used else InProcess)


@pytest.mark.parametrize("clang", ["", None, "/nowhere/clang"])
def test_without_clang_llvmlite_is_used(clang: str | None) -> None:
    assert isinstance(back_end(clang), InProcess)


@pytest.mark.parametrize("script", ["kill -ABRT $$", "exit 134"])
def test_a_crash_of_clang_is_one_of_the_link(program: Callable[[str], str], script: str) -> None:
    """The link's supervisor tells of it, and keeps the module that LLVM worked on."""
    code = f"from enzyme_cc.ir.back_ends import Clang; Clang({program(script)!r}).simplify('')"
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": os.getcwd()})
    assert done.returncode == -signal.SIGABRT
