"""How long a link takes, and how much memory, as the functions that the request reaches grow in number.

The program is a generated library of handles, tables and callbacks. Each kind of handle has ten functions: constructor,
evaluation, destructor, a callback with a context, and helpers that they call. A registry of tables selects the kind at
run time, so that each call through a table may reach each kind. A handle evaluates another one, its child: so all
evaluations are one cycle of calls. Each unit has ten kinds.

Run it as a program, with the numbers of functions as arguments (none: 100 to 10,000). The times of the stages are
processor times, as enzyme-ld tells them. Exits with 1 if the derivative is wrong, or if the processor time of enzyme-ld
grows faster than n log n (with a third for noise).
"""

from __future__ import annotations

import math
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

SIZES = (100, 300, 1000, 3000, 10000)
FUNCTIONS_PER_KIND, KINDS_PER_UNIT, NOISE = 10, 10, 4 / 3

_STAGE = r"^enzyme-ld: (\w+): .*\((\d+) ms of processor time"

_HEADER = """
#include <math.h>
#include <stdlib.h>
#include <string.h>
struct handle;
typedef double (*callback)(double, void *);
struct operations {
  const char *name;
  int (*open)(struct handle *, const double *, int);
  double (*evaluate)(struct handle *, double);
  void (*close)(struct handle *);
};
struct handle {
  const struct operations *operations; struct handle *child; int n;
  double scale; double *data; void *context; callback call;
};
"""

_KIND = """
struct context@ { double first, second; int count@; double steps[@SIZE]; };
static __attribute__((noinline)) double shape@(const struct context@ *c, double x) {
  double y = c->first;
  for (int i = 0; i < c->count@; i++) y = y * 0.5 + sin(x + c->steps[i]) * c->second;
  return y;
}
static __attribute__((noinline)) double weight@(const struct handle *h, double x) {
  double sum = 0;
  for (int i = 0; i < h->n; i++) sum += h->data[i] * exp(-x * x * @FACTOR);
  return sum * h->scale;
}
static double call@(double x, void *context) {
  struct context@ *c = context;
  return x > c->first ? shape@(c, x) : x * c->second;
}
static __attribute__((noinline)) void fill@(struct context@ *c, const double *x, int n) {
  c->first = x[@INDEX % n]; c->second = x[(@INDEX + 1) % n] * @FACTOR; c->count@ = @SIZE;
  for (int i = 0; i < @SIZE; i++) c->steps[i] = x[(i + @INDEX) % n] / (i + 1);
}
static __attribute__((noinline)) double *copy@(const double *x, int n) {
  double *data = malloc(n * sizeof(double));
  if (data) memcpy(data, x, n * sizeof(double));
  return data;
}
static __attribute__((noinline)) double norm@(const double *x, int n) {
  double sum = @FACTOR;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}
static __attribute__((noinline)) int valid@(const struct handle *h) { return h->data && h->n > 0 && h->context; }
static int open@(struct handle *h, const double *x, int n) {
  struct context@ *c = calloc(1, sizeof *c);
  if (!c) return 1;
  fill@(c, x, n);
  h->n = n; h->data = copy@(x, n); h->scale = 1 / norm@(x, n); h->context = c; h->call = call@;
  return !valid@(h);
}
static double evaluate@(struct handle *h, double x) {
  double below = h->child ? h->child->operations->evaluate(h->child, x * 0.5) : x;
  return weight@(h, below) + h->call(x, h->context) * @FACTOR;
}
static void close@(struct handle *h) { free(h->context); free(h->data); h->data = 0; }
const struct operations operations@ = {"kind@", open@, evaluate@, close@};
"""

_MAIN = """
#include <stdio.h>
static struct handle *make(int kind, const double *x, int n) {
  struct handle *h = calloc(1, sizeof *h);
  h->operations = registry[kind];
  h->child = kind > 0 ? make(kind / 2, x, n) : 0;
  if (!h->operations->open(h, x, n)) return h;
  free(h);
  return 0;
}
static void destroy(struct handle *h) {
  if (h->child) destroy(h->child);
  h->operations->close(h);
  free(h);
}
double f(const double *x, int n) {
  double y = 0.1;
  for (int kind = 0; kind < KINDS; kind += KINDS / 3) {
    struct handle *h = make(kind, x, n);
    if (!h) continue;
    y += h->operations->evaluate(h, y * x[kind % n]);
    destroy(h);
  }
  return y;
}
extern double __enzyme_autodiff(void *, ...);
int main(void) {
  double x[] = {0.3, 0.5, 0.7, 0.9}, dx[4] = {0}, worst = 0;
  __enzyme_autodiff((void *)f, x, dx, 4);
  for (int i = 0; i < 4; i++) {
    double at = x[i], high, low;
    x[i] = at + 1e-6; high = f(x, 4);
    x[i] = at - 1e-6; low = f(x, 4);
    x[i] = at;
    worst = fmax(worst, fabs((high - low) / 2e-6 - dx[i]) / (1 + fabs(dx[i])));
  }
  printf("%g\\n", worst);
  return !(worst < 1e-6);
}
"""


@dataclass(frozen=True)
class GrownLink:
    """One link: processor seconds by stage, and the peak of memory."""

    functions: int
    stages: dict[str, float]
    megabytes: float

    @property
    def seconds(self) -> float:
        return sum(self.stages.values())


def write_library(functions: int, folder: Path) -> list[str]:
    """Writes the units, and returns their names."""
    kinds = range(functions // FUNCTIONS_PER_KIND)
    units = {}
    for first in range(0, len(kinds), KINDS_PER_UNIT):
        texts = (_kind(number) for number in kinds[first : first + KINDS_PER_UNIT])
        units[f"kinds{first}.c"] = _HEADER + "".join(texts)
    declared = "".join(f"extern const struct operations operations{kind};\n" for kind in kinds)
    table = ", ".join(f"&operations{kind}" for kind in kinds)
    registry = f"static const struct operations *const registry[] = {{{table}}};\n#define KINDS {len(kinds)}\n"
    units["main.c"] = _HEADER + declared + registry + _MAIN
    for name, text in units.items():
        (folder / name).write_text(text)
    return list(units)


def _kind(number: int) -> str:
    words = {"@SIZE": 3 + number % 5, "@FACTOR": f"{0.5 + number % 7 / 10}", "@INDEX": number % 4, "@": number}
    text = _KIND
    for word, value in words.items():
        text = text.replace(word, str(value))
    return text


def measure(functions: int, folder: Path) -> GrownLink:
    units = write_library(functions, folder)
    compiler = str(Path(sys.executable).with_name("enzyme-cc"))
    subprocess.run([compiler, "-O2", "-w", "-c", *units], cwd=folder, check=True)
    objects = [unit.replace(".c", ".o") for unit in units]
    words = [compiler, "-O2", *objects, "-o", "f", "-lm", "--enzyme-verbose"]
    # a process of its own reports its peak, and its children's
    script = "import resource, subprocess, sys; status = subprocess.call(sys.argv[1:]);"
    script += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(status)"
    done = subprocess.run(
        [sys.executable, "-c", script, *words],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    subprocess.run(["./f"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    stages = {name: float(ms) / 1000 for name, ms in re.findall(_STAGE, done.stderr, re.M)}
    return GrownLink(functions, stages, int(done.stdout.split()[-1]) / 1024)


def main(words: list[str]) -> int:
    good, before = True, None
    for size in [int(word) for word in words] or SIZES:
        with tempfile.TemporaryDirectory() as folder:
            found = measure(size, Path(folder))
        if before is None:
            print(
                f"{'functions':>10}"
                + "".join(f"{stage:>15}" for stage in found.stages)
                + f"{'all':>15}{'MB':>8}{'growth':>9}"
            )
        growth = _growth(before, found) if before is not None else 0.0
        good &= growth <= NOISE
        times = "".join(f"{seconds:13.2f} s" for seconds in (*found.stages.values(), found.seconds))
        print(f"{size:10}{times}{found.megabytes:8.0f}{growth:9.2f}", flush=True)
        before = found
    return int(not good)


def _growth(before: GrownLink, after: GrownLink) -> float:
    """The time's growth over that of n log n."""
    n, m = before.functions, after.functions
    return (after.seconds / before.seconds) / (m * math.log(m) / (n * math.log(n)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
