"""The same module gives the same text, whatever order Python's sets of strings have in a run."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

# the partials of a maximum name both operands, which the reverse sweep recomputes
TEXT = """
declare { double, double } @__enzyme_autodiff(ptr, double, double)

define internal double @f(double %a, double %c) {
  %x = fmul double %a, %c
  %y = fadd double %a, %c
  %r = call double @llvm.maximum.f64(double %x, double %y)
  ret double %r
}

declare double @llvm.maximum.f64(double, double)

define { double, double } @main(double %a, double %c) {
  %g = call { double, double } @__enzyme_autodiff(ptr @f, double %a, double %c)
  ret { double, double } %g
}
"""
PROGRAM = "import sys; from enzyme_cc.autodiff import differentiate; print(differentiate(sys.stdin.read()).text)"


def derivative(seed: int) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=TEXT,
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_hash_seed_does_not_matter(seed: int) -> None:
    assert derivative(seed) == derivative(0)
