"""Loops of derivatives that LLVM vectorises."""

from __future__ import annotations

import re
from pathlib import Path

from ..programs.conftest import ENZYME_CXX, ENZYME_FC, ROOT, Builder

SAMPLE = ROOT / "samples" / "adbench"


def test_the_tangent_of_a_stencil_in_fortran_is_vectorised(tmp_path: Path) -> None:
    """Addresses in Fortran may wrap around where null is valid: LLVM tests each of them before the loop."""
    builder = Builder(tmp_path)
    source = ROOT / "tests" / "bench" / "peers" / "forward.cpp"
    reads = ("-std=c++17", f"-I{SAMPLE}", '-DPROBLEM="heat.cpp"', "-DDIRECTIONS=1")
    assert builder.run(ENZYME_FC, "-O3", "-c", SAMPLE / "heat_kernel.f90", "-o", "kernel.o").status == 0
    assert builder.run(ENZYME_CXX, "-O3", *reads, "-c", source, "-o", "heat.o").status == 0
    inputs = (SAMPLE / "main.cpp", "heat.o", "kernel.o")
    built = builder.run(ENZYME_CXX, "-O3", "--enzyme-save-temps=temps", *inputs, "-o", "program")
    assert built.status == 0, built.text
    final = (builder.folder / "temps" / "final.ll").read_text()
    derivative = re.search(r"^define [^\n]*4heat10derivativeEv.*?^\}", final, re.MULTILINE | re.DOTALL)
    assert derivative is not None
    assert len(re.findall(r"= fmul .*<\d+ x double>", derivative[0])) > 10
