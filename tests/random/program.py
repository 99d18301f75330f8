"""Builds many random functions into one program, runs it, and says of each whether its gradient is right."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .generate import INPUTS, Source

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CLANG = next((name for name in ("clang-22", "clang") if shutil.which(name)), "clang-22")
ENZYME_CC = Path(sys.executable).parent / "enzyme-cc"

POINTS = ((0.612, -0.834, 1.127, 0.391), (-1.213, 0.456, 0.278, -0.645))

_TABLE = ", ".join("{" + ", ".join(map(str, point)) + "}" for point in POINTS)
_COMMON = "#include <complex.h>\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"

#: the functions as the program has them
DIFFERENTIATED = _COMMON + f'#define SUFFIX _d\n#include "{HERE}/runtime.h"\n#include "functions.inc"\n'

#: calls each gradient, in reverse mode and, in as many directions at once as there are inputs, in forward mode; the
#: reference judges it
_MAIN = """
typedef struct {
  double d[%(inputs)d];
} tangents;
extern void __enzyme_autodiff(void *, ...);
extern tangents __enzyme_fwddiff(void *, ...);
extern int enzyme_width, enzyme_dup, enzyme_dupv;
#define WIDTH enzyme_width, %(inputs)d

/* A second lane of reverse mode had the seeds 1, 2, … for what the function leaves in its argument: so much of the rows
 * that forward mode found must it hold beside the gradient. Where rounding matters, that much more is tolerated. */
static void judge_second_lane(int point, const double *gradient, const double *second, double (*rows)[%(inputs)d],
                              double noise) {
  for (int i = 0; i < %(inputs)d; i++) {
    double want = gradient[i], scale = fabs(want);
    for (int j = 0; j < %(inputs)d; j++)
      want += (j + 1) * rows[i][j], scale += fabs((j + 1) * rows[i][j]);
    if (!(fabs(second[i] - want) <= 1e-9 * (1 + scale) + 1e4 * noise) && isfinite(want) && scale < 1e12)
      printf(" WRONG at point %%d: second lane d[%%d] = %%.15g, expected %%.15g", point, i, second[i], want);
  }
}
double state_d_shadow[%(inputs)d], state_d_shadow1[%(inputs)d];
extern const double points[][%(inputs)d];
extern double judge(int k, int point, const double *gradient, const double *left, const double *forward);

int main(int argc, char **argv) {
  for (int k = argc > 1 ? atoi(argv[1]) : 0; k < %(count)d; k++) {
    printf("%%d:", k);
    for (int point = 0; point < %(points)d; point++) {
      double x[%(inputs)d], y[%(inputs)d], dx[%(inputs)d] = {0}, dy[%(inputs)d][%(inputs)d] = {0};
      double d2[%(inputs)d];
      tangents t;
      for (int i = 0; i < %(inputs)d; i++)
        dy[i][i] = 1, state_d_shadow[i] = state_d_shadow1[i] = 0, d2[i] = i + 1;
      memcpy(x, points[point], sizeof x);
      memcpy(y, points[point], sizeof y);
      fflush(stdout);
      switch (k) {
%(cases)s
      }
      double noise = judge(k, point, dx, x, t.d);
      if (k %% 2 && isfinite(noise))
        judge_second_lane(point, dx, d2, dy, noise);
    }
    puts("");
  }
}
"""

#: The gradient by complex step, also at a point nearby: where the two differ, rounding matters, and that much more is
#: tolerated. The result is this difference; it is infinite for a function that is skipped. A function whose conditions
#: differ between real and complex numbers, or that is not finite, is skipped; so is one in which any number overflows:
#: what that is multiplied with in the gradient may be zero.
_JUDGE = """
#include <fenv.h>
extern const double points[][%(inputs)d];
const double points[][%(inputs)d] = {%(table)s};

static double reference(int k, const double *x, double nearby, double *gradient, unsigned long *trace) {
  double value = 0;
  for (int i = 0; i < %(inputs)d; i++) {
    complex_number z[%(inputs)d];
    for (int j = 0; j < %(inputs)d; j++)
      z[j] = x[j] * (1 + nearby * (j + 1)) + (i == j ? 1e-30 * I : 0);
    trace_hash = 0;
    complex_number r = complex_functions[k](z);
    value = creal(r);
    gradient[i] = cimag(r) * 1e30;
    *trace = *trace * 31 + trace_hash;
  }
  return value;
}

double judge(int k, int point, const double *gradient, const double *left, const double *forward) {
  double x[%(inputs)d], want[%(inputs)d], near[%(inputs)d], scale = 0, noise = 0;
  unsigned long trace = 0, ignored = 0, real_trace = 0;
  double complex_value = reference(k, points[point], 0, want, &trace);
  reference(k, points[point], 1e-13, near, &ignored);
  memcpy(x, points[point], sizeof x);
  trace_hash = 0;
  feclearexcept(FE_ALL_EXCEPT);
  double value = real_functions[k](x);
  int overflows = fetestexcept(FE_OVERFLOW | FE_INVALID) || !isfinite(value);
  for (int i = 0; i < %(inputs)d; i++)
    real_trace = real_trace * 31 + trace_hash;
  for (int i = 0; i < %(inputs)d; i++) {
    scale = isfinite(want[i]) ? fmax(scale, fabs(want[i])) : INFINITY;
    noise = fmax(noise, fabs(want[i] - near[i]));
  }
  if (trace != real_trace || overflows || !isfinite(scale) || scale > 1e12 || noise > 1e-3 * scale ||
      fabs(value - complex_value) > 1e-6 * (1 + fabs(value))) {
    printf(" skipped");
    return INFINITY;
  }
  for (int i = 0; i < %(inputs)d; i++) {
    if (!(fabs(gradient[i] - want[i]) <= 1e-9 * (1 + scale) + 1e4 * noise)) {
      printf(" WRONG at point %%d: d[%%d] = %%.15g, expected %%.15g", point, i, gradient[i], want[i]);
      return noise;
    }
    if (!(fabs(forward[i] - gradient[i]) <= 1e-11 * (1 + scale) + 1e2 * noise)) {
      printf(" WRONG at point %%d: forward d[%%d] = %%.15g, reverse %%.15g", point, i, forward[i], gradient[i]);
      return noise;
    }
    if (!(fabs(left[i] - x[i]) <= 1e-6 * (1 + fabs(x[i])))) {
      printf(" WRONG at point %%d: x[%%d] is left as %%.15g, expected %%.15g", point, i, left[i], x[i]);
      return noise;
    }
  }
  printf(" right");
  return noise;
}
"""


@dataclass(frozen=True)
class Verdict:
    """What came of one function: right, skipped, wrong (with numbers), refused or crashed (with the text)."""

    name: str
    kind: str
    detail: str = ""


def complaints(outcomes: Sequence[Verdict], first: int, level: str, refusal: str) -> str:
    """Returns what is wrong with functions of seeds first, first + 1, …; those with `refusal` in a refusal pass."""
    return "\n".join(
        f"seed {first + int(o.name[1:])} {level}: {o.kind}\n{o.detail}"
        for o in outcomes
        if o.kind not in ("right", "skipped") and not (o.kind == "refused" and refusal in o.detail)
    )


class Program:
    """Random functions in a folder of their own."""

    judge = _JUDGE
    language, suffix = "C", ".c"
    compiler: tuple[str | Path, ...] = (CLANG,)
    enzyme: tuple[str | Path, ...] = (ENZYME_CC,)
    inputs: tuple[str, ...] = ()  # files beside main and reference

    def __init__(self, folder: Path, sources: Sequence[Source]) -> None:
        self.folder = folder
        self.sources = list(sources)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "functions.inc").write_text("\n".join(source.text() for source in self.sources))
        judge = self.judge % {"inputs": INPUTS, "table": _TABLE}
        (folder / f"reference{self.suffix}").write_text(self.reference() + judge)
        (folder / f"main{self.suffix}").write_text(self.main())

    def main(self) -> str:
        cases = "\n".join(
            f"      case {k}:\n{self._reverse(k, s)}"
            f"        t = __enzyme_fwddiff((void *){self.primal(s)}, WIDTH, enzyme_dupv, sizeof *dy, y, dy);\n"
            "        break;"
            for k, s in enumerate(self.sources)
        )
        values = {"inputs": INPUTS, "points": len(POINTS), "count": len(self.sources), "cases": cases}
        return self.differentiated() + _MAIN % values

    def primal(self, source: Source) -> str:
        """The function that is differentiated, as the program names it."""
        return f"{source.name}_d"

    def differentiated(self) -> str:
        return DIFFERENTIATED

    def _reverse(self, k: int, source: Source) -> str:
        """Every other function in two lanes, as main expects."""
        width, shadows = ("enzyme_width, 2, ", "dx, d2") if k % 2 else ("", "dx")
        return f"        __enzyme_autodiff((void *){self.primal(source)}, {width}enzyme_dup, x, {shadows});\n"

    def reference(self) -> str:
        """The functions in real and in complex numbers."""
        parts = [_COMMON, "typedef double complex complex_number;\nstatic unsigned long trace_hash;\n"]
        parts.append(
            "static inline int traced(int c) { trace_hash = trace_hash * 7 + c + 1; return c; }\n#define TRACED\n"
        )
        parts.append(f'#define SUFFIX _t\n#include "{HERE}/runtime.h"\n#include "functions.inc"\n#undef SUFFIX\n')
        parts.append(f'#define COMPLEX\n#define SUFFIX _c\n#include "{HERE}/runtime.h"\n#include "functions.inc"\n')
        for kind, type_, suffix in (("real", "double", "_t"), ("complex", "double complex", "_c")):
            names = ", ".join(f"{s.name}{suffix}" for s in self.sources)
            parts.append(f"static {type_} (*const {kind}_functions[])({type_} *) = {{{names}}};\n")
        return "".join(parts)

    def run(self, *command: str | Path, seconds: int = 60) -> tuple[int, str]:
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        try:
            done = subprocess.run(
                [str(c) for c in command],
                cwd=self.folder,
                env={**os.environ, "PYTHONPATH": path},
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=seconds,
            )
        except subprocess.TimeoutExpired as error:
            out = error.stdout or b""
            return 124, out.decode() if isinstance(out, bytes) else out
        return done.returncode, done.stdout if done.returncode == 0 else done.stdout + done.stderr

    def outcomes(self, level: str) -> list[Verdict]:
        """Builds and runs; what cannot be built together is built one by one."""
        status, text = self.run(*self.compiler, "-O1", "-w", "-c", f"reference{self.suffix}", seconds=300)
        if status:
            raise ValueError(f"the functions are not valid {self.language}:\n{text}")
        status, text = self.build(level)
        if status == 0:
            return self._judge()
        if len(self.sources) == 1:
            return [Verdict(self.sources[0].name, "refused", text)]
        return [o for s in self.sources for o in type(self)(self.folder / s.name, [s]).outcomes(level)]

    def build(self, level: str) -> tuple[int, str]:
        """Makes `program` of main.c, `inputs` and reference.o; status and what was said."""
        inputs = (f"main{self.suffix}", *self.inputs, "reference.o", "-o", "program", "-lm")
        return self.run(*self.enzyme, level, "-w", "-g", *inputs, seconds=600)

    def _judge(self) -> list[Verdict]:
        found: list[Verdict] = []
        while len(found) < len(self.sources):
            status, text = self.run("./program", str(len(found)))
            lines = [line for line in text.splitlines() if ":" in line and line.split(":")[0].isdigit()]
            for line in lines[: len(lines) - (status != 0)]:
                found.append(self._outcome(len(found), line))
            if status != 0 and len(found) < len(self.sources):
                found.append(Verdict(self.sources[len(found)].name, "crashed", f"status {status}: {text[-300:]}"))
        return found

    def _outcome(self, k: int, line: str) -> Verdict:
        kind = "wrong" if "WRONG" in line else "right" if "right" in line else "skipped"
        return Verdict(self.sources[k].name, kind, line)
