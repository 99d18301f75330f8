"""Builds random functions of bits into one program, whose gradients and tangents are compared with differences."""

from __future__ import annotations

from ..both_modes import BothModesProgram
from ..program import DIFFERENTIATED, Verdict
from .bit_functions import FLOAT, BitFunction

_HEAD = "#include <stdint.h>\n"

#: Three differences must agree: a function may have a step near the point, be a staircase, or be too large.
_JUDGE = """
extern const double points[][%(inputs)d];
const double points[][%(inputs)d] = {%(table)s};

void judge(int k, int point, const double *gradient, const double *tangents) {
  double near = is_float[k] ? 2e-2 : 1e-3;
  for (int i = 0; i < %(inputs)d; i++) {
    double found[3], noise = 0;
    for (int step = 0; step < 3; step++) {
      double h = (is_float[k] ? 1e-3 : 1e-5) * (1 + 2.1 * step * step), x[%(inputs)d];
      memcpy(x, points[point], sizeof x);
      x[i] += h;
      double above = real_functions[k](x);
      x[i] -= 2 * h;
      double below = real_functions[k](x);
      found[step] = (above - below) / (2 * h);
      noise = fmax(noise, 1e-15 * fabs(above) / h);
    }
    double want = found[0], scale = fabs(want) + 1e-3;
    double apart = fmax(noise, fmax(fabs(want - found[1]), fabs(want - found[2])));
    if (!(apart <= near * scale) || !(scale < 1e12))
      printf(" skipped");
    else if (!(fabs(gradient[i] - want) <= 3 * near * scale) || !(fabs(tangents[i] - want) <= 3 * near * scale))
      printf(" WRONG at point %%d: d[%%d] = %%.9g, forward %%.9g, expected %%.9g", point, i, gradient[i], tangents[i],
             want);
    else
      printf(" right");
  }
}
"""


class BitProgram(BothModesProgram):
    """Functions of bits in reverse and forward mode, against central differences."""

    judge = _JUDGE

    def main(self) -> str:
        return _HEAD + super().main()

    def reference(self) -> str:
        sources: list[BitFunction] = self.sources
        names = ", ".join(f"{s.name}_t" for s in sources)
        floats = ", ".join(str(int(s.format is FLOAT)) for s in sources)
        return (
            f"{_HEAD}{DIFFERENTIATED.replace('SUFFIX _d', 'SUFFIX _t')}"
            f"static double (*const real_functions[])(double *) = {{{names}}};\n"
            f"static const int is_float[] = {{{floats}}};\n"
        )

    def _judge(self) -> list[Verdict]:
        """A program that ends with a message about a derivative refuses at run time."""
        return [
            Verdict(v.name, "refused", v.detail) if v.kind == "crashed" and "enzyme-cc: " in v.detail else v
            for v in super()._judge()
        ]
