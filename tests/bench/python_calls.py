"""What calls from Python cost: overhead of a call, the first call of a new file, a second process.

python tests/bench/python_calls.py

With the Python of an environment that has the package installed from a wheel, the second process is as users have it;
an editable installation looks for each module in the source tree.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ENERGY = """#include <math.h>
double energy(const double *x, int n, const double *mass) {
  double e = 0;
  for (int i = 0; i < n; i++)
    e += mass[i] * sin(x[i]) * x[i];
  return e;
}
"""
#: 100 lines that all take part
LONG = (
    "#include <math.h>\ndouble energy(const double *x, int n, const double *mass) {\n  double e = 0;\n"
    + "  for (int i = 0; i < n; i++) {\n    double t = x[i];\n"
    + "".join(f"    t = t * {1 + i / 100} + sin(t * mass[i]);\n    e += t * t / {i + 1};\n" for i in range(46))
    + "  }\n  return e;\n}\n"
)
SECOND = """
import time; wall, cpu = time.perf_counter(), time.process_time()
import enzyme_cc
f = enzyme_cc.function("long.c", "energy", "x[n], n, const mass[n] -> return")
f.entry_point("vjp")
print(f"{1e3 * (time.perf_counter() - wall):.1f} ms, of the processor {1e3 * (time.process_time() - cpu):.1f} ms")
import numpy
print(f"{1e3 * (time.perf_counter() - wall):.1f} ms, of the processor {1e3 * (time.process_time() - cpu):.1f} ms")
"""


def microseconds(call: Callable[[], object], count: int = 100_000) -> float:
    """Returns the processor time of one call, the best of five."""
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        for _ in range(count):
            call()
        best = min(best, (time.process_time() - start) / count * 1e6)
    return best


def main() -> None:
    """Prints the measurements."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["ENZYME_CC_CACHE"] = str(Path(folder, "cache"))
        import numpy as np

        import enzyme_cc

        Path("energy.c").write_text(ENERGY)
        f = enzyme_cc.function("energy.c", "energy", "x[n], n, const mass[n] -> return")
        x, mass = np.ones(3), np.ones(3)
        print(f"f(x, mass): {microseconds(lambda: f(x, mass)):.2f} us")
        print(f"f.value_and_grad(x, mass): {microseconds(lambda: f.value_and_grad(x, mass)):.2f} us")
        Path("long.c").write_text(LONG)
        wall, before = time.perf_counter(), os.times()
        g = enzyme_cc.function("long.c", "energy", "x[n], n, const mass[n] -> return")
        g.value_and_grad(np.ones(46), np.ones(46))
        used = sum(os.times()[:4]) - sum(before[:4])
        print(
            f"first call of {LONG.count(chr(10))} lines: {time.perf_counter() - wall:.2f} s,"
            f" of the processor {used:.2f} s"
        )
        for _ in range(3):
            done = subprocess.run([sys.executable, "-c", SECOND], capture_output=True, text=True, check=True)
            alone, with_numpy = done.stdout.splitlines()
            print(f"second process, import and load: {alone}; with NumPy: {with_numpy}")


if __name__ == "__main__":
    main()
