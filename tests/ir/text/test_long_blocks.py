"""Long blocks that are divided for code generation: the function computes the same."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import pytest

from enzyme_cc.ir import llvm_passes
from enzyme_cc.ir.text.long_blocks import LONG, PART, divide_long_blocks


def module(sums: int) -> str:
    """Three long blocks with numbered values: an entry without a label, a loop with phis, and a block behind it."""
    lines = ["declare double @sin(double)", "declare double @llvm.cos.f64(double)", ""]
    lines += ["define double @f(double %0, i64 %1) {"]
    number = 3

    def chain(start: str) -> str:
        nonlocal number
        last = start
        for k in range(sums):
            lines.append(f"  %{number} = fadd double {last}, {k}.5")
            last, number = f"%{number}", number + 1
        return last

    lines.append("  %place = alloca double")
    lines.append("  %sine = call double @sin(double %0)")
    first = chain("%sine")
    lines += ["  store double 1.0, ptr %place", "  br label %loop", "", "loop:"]
    lines += ["  %k = phi i64 [ 0, %2 ], [ %more, %loop ]", f"  %sum = phi double [ {first}, %2 ], [ %half, %loop ]"]
    second = chain("%sum")
    lines += [f"  %half = fmul double {second}, 0.5", "  %more = add i64 %k, 1"]
    lines += ["  %done = icmp eq i64 %more, %1", "  br i1 %done, label %after, label %loop", "", "after:"]
    lines += ["  %found = phi double [ %half, %loop ]"]
    third = chain("%found")
    lines += ["  %cosine = call double @llvm.cos.f64(double %0)", "  %one = load double, ptr %place"]
    lines += [f"  %product = fmul double {third}, %cosine", "  %result = fadd double %product, %one"]
    lines += ["  ret double %result", "}", "", "define i32 @short() {", "  ret i32 1", "}", ""]
    return "\n".join(lines)


def value(text: str, folder: Path) -> float:
    made, library = folder / "f.o", folder / "f.so"
    made.write_bytes(llvm_passes.emit_object(llvm_passes.parse(text)))
    subprocess.run(["cc", "-shared", made, "-o", library, "-lm"], check=True)
    function = ctypes.CDLL(str(library)).f
    function.restype, function.argtypes = ctypes.c_double, (ctypes.c_double, ctypes.c_int64)
    return float(function(0.3, 4))


def test_divided_blocks_compute_the_same(tmp_path: Path) -> None:
    text = module(LONG + PART // 2)
    divided = divide_long_blocks(text)
    llvm_passes.verify(llvm_passes.parse(divided))
    (tmp_path / "whole").mkdir()
    (tmp_path / "divided").mkdir()
    assert value(divided, tmp_path / "divided") == value(text, tmp_path / "whole")
    assert divided.count("callbr ") == 3 * 2
    longest = max(len(block.split("\n")) for block in divided.split(":\n"))
    assert longest < LONG


def test_short_functions_stay() -> None:
    text = module(PART // 4)
    assert divide_long_blocks(text) == text


@pytest.mark.parametrize("names", [("@sin", "@llvm.cos.f64"), ("@llvm.cos.f64", "@sin")])
def test_a_sine_and_a_cosine_of_one_number_stay_in_one_block(names: tuple[str, str]) -> None:
    end = LONG + 3
    lines = ["declare double @sin(double)", "declare double @llvm.cos.f64(double)", "define double @g(double %0) {"]
    lines += [f"  %2 = call double {names[0]}(double noundef %0) #0"]
    lines += [f"  %{k} = fadd double %{k - 1}, 1.0" for k in range(3, end)]
    lines += [f"  %{end} = tail call fast double {names[1]}(double %0)"]
    lines += [f"  %{end + 1} = fmul double %{end}, %{end - 1}", f"  ret double %{end + 1}", "}"]
    lines += ["attributes #0 = { nounwind memory(none) }", ""]
    divided = divide_long_blocks("\n".join(lines))
    llvm_passes.verify(llvm_passes.parse(divided))
    first_block = divided.split("callbr")[0].split("define")[1]
    assert all(name in first_block for name in names)
