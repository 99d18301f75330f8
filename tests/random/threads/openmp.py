"""Random functions whose loops, sums and tasks run on threads, as C source: one program with a main of its own.

What a function computes does not depend on the number of threads or on their order, up to rounding (tests/programs/
check.h compares with differences, which plain calls compute on as many threads).
`python -m tests.random.threads.openmp SEED` prints a program.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

CHECK = Path(__file__).parents[2] / "programs" / "check.h"

_PLACES = 24
HEAD = f"""#include "{CHECK}"
#include <omp.h>

enum {{ N = 6, M = {_PLACES}, CELLS = 5 }};
static int permuted[M], indirect[M];

static void make_indices(void) {{
  for (int i = 0; i < M; i++)
    permuted[i] = (i * 7 + 3) % M, indirect[i] = i * i % M;
}}
"""
#: arrays and numbers, before and after what threads do
START = "  for (int i = 0; i < M; i++)\n    a[i] = x[i % N] + 0.1 * i, b[i] = x[i % 3] * x[5], c[i] = 0.2 * i;\n"
END = "  for (int i = 0; i < M; i++)\n    s += a[i] * b[i] + sin(c[i]) * (i % 3 + 1);\n"
_SCHEDULES = ["", "static", "static, 1", "static, 5", "dynamic", "dynamic, 3", "guided", "runtime", "auto"]
_SCHEDULES += ["monotonic : dynamic, 2", "nonmonotonic : dynamic"]
#: where a loop writes: every place once
WRITES = ["i", "M - 1 - i", "permuted[i]", "(i + 5) % M"]
_READS = [*WRITES, "indirect[i]", "(i * 3) % M", "i / 2", "0"]
#: what a loop that begins below zero reads, and what a collapsed one writes and reads
_SIGNED = ["i / 3 + 12", "i % 5 + 12", "(i - 1) / 2 + 12", "i / 2 * 2 + 12", "(i + 12) / 4", "i + 12"]
_COLLAPSED = ["p * 6 + q", "q * 4 + p", "(3 - p) * 6 + q"]
#: members of records, of which there may be some; p and q are numbers that carry derivatives
_MEMBERS = ["char c;", "short h;", "int k;", "float w;", "double d[3];", "void *link;"]
_FORMS = ["P * sin(Q)", "sin(P + Q)", "0.5 * P - Q", "tanh(P) * Q", "P / (2 + Q * Q)", "0.3 * P + 0.1", "cos(P * Q)"]


class ParallelFunction:
    """A random function `f` of N numbers, which works on arrays a, b, c and numbers s, t."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._has_tasks = seed % 2 == 0
        self._has_dependences = seed % 4 == 0
        self._arrays = ["a", "b", "c"]
        self._records = ["r", "h"] if self._random.random() < 0.6 else []  # on the stack and on the heap
        self._calls = self._random.random() < 0.5

    def _declarations(self) -> str:
        """Returns the record type, and a function that regions call."""
        r = self._random
        members = ["double p;", "double q;", *r.sample(_MEMBERS, r.randint(0, 3))]
        r.shuffle(members)
        packed = r.choice(["", "__attribute__((packed)) "])
        record = f"typedef struct {packed}{{\n  {' '.join(members)}\n}} record;\n"
        turns, inline = r.randint(2, 9), r.choice(["", "NOINLINE "])
        values = ("r[(i + k) % M].p", "r[(i * k) % M].q", "v[(i + 2 * k) % M]", "v[k]", "r[k].p")
        line = f"sum += {self._form(*values)} * {self._form(*values)};"
        body = f"  double sum = 0;\n  for (int k = 0; k < {turns}; k++)\n    {line}\n  return sum;\n"
        return f"{record}static {inline}double near_by(const record *r, const double *v, int i) {{\n{body}}}\n"

    def program(self) -> str:
        declarations = self._declarations()
        steps = "".join(self._step() for _ in range(self._random.randint(3, 7)))
        start, end = START, END
        if self._records:
            start += (
                "  for (int i = 0; i < M; i++)\n    r[i].p = h[i].q = x[i % 4], r[i].q = h[i].p = 0.3 * x[0] * i;\n"
            )
            end += "  for (int i = 0; i < M; i++)\n    s += r[i].p * h[i].q + sin(r[i].q) * h[i].p;\n  free(h);\n"
            start = f"  record r[M] = {{0}}, *h = calloc(M, sizeof *h);\n{start}"
        end += "  return s * 0.1 + t;\n}\n"
        body = f"  double a[M], b[M], c[M], s = x[0], t = x[1];\n{start}{steps}{end}"
        main = "  make_indices();\n  CHECK(f, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);\n  return failures;\n"
        return f"{HEAD}\n{declarations}\nstatic double f(double *x) {{\n{body}\nint main(void) {{\n{main}}}\n"

    def _step(self) -> str:
        tasks = [self._tasks, self._waits, self._waits] if self._has_tasks else []
        tasks += [self._cells] if self._has_dependences else []
        tasks += [self._copied_records] if self._records else []
        loops = [self._own_loop, self._sum, self._ordered, self._sections, self._region, self._again]
        loops += [self._below_zero, self._collapsed]
        return self._random.choice([*loops, *tasks])()

    def _schedule(self) -> str:
        chosen = self._random.choice(_SCHEDULES)
        return f" schedule({chosen})" if chosen else ""

    def _form(self, *operands: str) -> str:
        p, q = self._random.choice(operands), self._random.choice(operands)
        return self._random.choice(_FORMS).replace("P", p).replace("Q", q)

    def _reads(self, left_out: str) -> tuple[str, ...]:
        """Returns what a loop may read that writes another array."""
        arrays = [name for name in (*self._arrays, *self._records) if name != left_out]
        found = [self._place(self._random.choice(arrays), self._random.choice(_READS)) for _ in range(2)]
        vectors = [name for name in arrays if name in self._arrays]
        if self._calls and "h" in arrays:
            found.append(f"0.1 * near_by(h, {self._random.choice(vectors)}, i)")
        return (*found, "x[i % N]")

    def _place(self, name: str, at: str) -> str:
        return f"{name}[{at}].{self._random.choice('pq')}" if name in self._records else f"{name}[{at}]"

    def _copied_records(self) -> str:
        """Returns a loop that copies records."""
        target, source = self._random.sample(self._records, 2)
        own, other = self._random.choice(WRITES), self._random.choice(_READS)
        head = f"#pragma omp parallel for{self._schedule()}\n  for (int i = 0; i < M; i++)"
        return f"{head}\n    {target}[{own}] = {source}[{other}];\n"

    def _loop(self, clauses: str, directive: str = "omp for") -> str:
        """Returns a loop that writes one array; it may read the places that it writes."""
        target = self._random.choice([*self._arrays, *self._records])
        own = self._place(target, self._random.choice(WRITES))
        operands = (*self._reads(target), own) if self._random.random() < 0.5 else self._reads(target)
        head = f"#pragma {directive}{self._schedule()}{clauses}\n  for (int i = 0; i < M; i++)"
        if self._random.random() < 0.3:
            return f"{head} {{\n    double u = {self._form(*operands)};\n    {own} = 0.5 * u * sin(u) + u;\n  }}\n"
        return f"{head}\n    {own} = {self._form(*operands)};\n"

    def _below_zero(self) -> str:
        """Returns a loop over numbers of both signs, which reads at quotients and rests of them."""
        target, *others = self._random.sample(self._arrays, 3)
        operands = [f"{name}[{self._random.choice(_SIGNED)}]" for name in others]
        head = f"#pragma omp parallel for{self._schedule()}\n  for (int i = -12; i < M - 12; i++)"
        return f"{head}\n    {target}[i + 12] = {self._form(*operands)};\n"

    def _collapsed(self) -> str:
        """Returns two loops that are one, over rows in any order."""
        target, *others = self._random.sample(self._arrays, 3)
        own = f"{target}[{self._random.choice(_COLLAPSED)}]"
        read = [f"{name}[{self._random.choice([*_COLLAPSED, 'q', '2 * p + q'])}]" for name in others]
        head = f"#pragma omp parallel for collapse(2){self._schedule()}\n  for (int p = 0; p < 4; p++)"
        return f"{head}\n    for (int q = 0; q < 6; q++)\n      {own} = {self._form(own, *read)};\n"

    def _own_loop(self) -> str:
        return self._loop("", "omp parallel for")

    def _add(self) -> str:
        """Returns a statement of a loop that adds to what other threads add to."""
        r = self._random
        target = r.choice(self._arrays)
        value = self._form(*self._reads(target))
        if r.random() < 0.5:
            return f"{{\n#pragma omp atomic\n      {target}[{r.choice(_READS)}] += 0.1 * ({value});\n    }}"
        sums = r.choice(["s += {0};", "t += 0.1 * {0};", "s += {0}, t += 0.05 * {0};"]).format(f"({value})")
        return f"{{\n#pragma omp critical\n      {{ {sums} }}\n    }}"

    def _region(self) -> str:
        parts = [self._in_region() for _ in range(self._random.randint(1, 4))]
        return "#pragma omp parallel\n  {\n" + "".join(parts) + "  }\n"

    def _in_region(self) -> str:
        r = self._random
        kind = r.randrange(4)
        if kind == 0:
            return self._loop("")
        if kind == 1:
            return f"#pragma omp for{self._schedule()}\n  for (int i = 0; i < M; i++)\n    {self._add()}\n"
        if kind == 2:
            value = self._form("s", "t", *self._reads(""))
            return f"#pragma omp single\n  {{\n    int i = 3;\n    {r.choice('st')} = {value};\n  }}\n"
        turns = r.randint(2, 3)
        return f"  for (int turn = 0; turn < {turns}; turn++) {{\n{self._loop('')}{self._loop('')}  }}\n"

    def _sum(self) -> str:
        value = self._form(*self._reads(""), "x[(i + 1) % N]")
        if self._random.random() < 0.3:
            return (
                f"#pragma omp parallel for reduction(* : t){self._schedule()}\n"
                f"  for (int i = 0; i < M; i++)\n    t *= 1 + 0.01 * ({value});\n"
            )
        head = f"#pragma omp parallel for reduction(+ : s){self._schedule()}\n"
        return f"{head}  for (int i = 0; i < M; i++)\n    s += {value};\n"

    def _ordered(self) -> str:
        value = self._form(*self._reads(""))
        return (
            f"#pragma omp parallel for ordered{self._schedule().replace('nonmonotonic : ', '')}\n"
            f"  for (int i = 0; i < M; i++) {{\n    double u = {value};\n#pragma omp ordered\n"
            "    s = 0.7 * s + u * (1 + 0.1 * s);\n  }\n"
        )

    def _sections(self) -> str:
        def part(target: str) -> str:
            i = self._random.randrange(_PLACES)
            return f"    {{\n      int i = {i};\n      {target} = {self._form(*self._reads(''))};\n    }}\n"

        return f"#pragma omp parallel sections\n  {{\n{part('s')}#pragma omp section\n{part('t')}  }}\n"

    def _tasks(self) -> str:
        target = self._random.choice(self._arrays)
        value = self._form(*self._reads(target))
        return (
            "#pragma omp parallel\n#pragma omp single\n  for (int i = 0; i < M; i += 2) {\n"
            f"#pragma omp task firstprivate(i)\n    {target}[i] = {value};\n  }}\n"
        )

    def _waits(self) -> str:
        """Tasks of several steps, which end before the next one begins."""
        r = self._random
        if r.random() < 0.3:  # each thread makes some, and the loop's barrier waits
            steps = (f"#pragma omp for{self._schedule()}\n{self._step_of_tasks(r.random() < 0.5)}" for _ in range(2))
            return f"#pragma omp parallel\n  {{\n{''.join(steps)}  }}\n"
        chosen = r.choice(["single", "master"])
        steps = (self._waited(r.choice([True, False])) for _ in range(r.randint(1, 4)))
        return f"#pragma omp parallel\n#pragma omp {chosen}\n  {{\n{''.join(steps)}  }}\n"

    def _waited(self, is_group: bool) -> str:
        is_deep = self._random.random() < 0.5
        step = self._step_of_tasks(is_deep and not is_group)
        if not is_group:
            return f"{step}#pragma omp taskwait\n"
        return f"#pragma omp taskgroup\n{step}" if not is_deep else f"#pragma omp taskgroup\n{self._deep_tasks('')}"

    def _step_of_tasks(self, is_deep: bool) -> str:
        if is_deep:
            return self._deep_tasks("#pragma omp taskwait\n")
        target = self._random.choice(self._arrays)
        own = f"{target}[{self._random.choice(WRITES)}]"
        return (
            "  for (int i = 0; i < M; i++) {\n#pragma omp task firstprivate(i)\n"
            f"    {own} = {self._form(*self._reads(target), own)};\n  }}\n"
        )

    def _deep_tasks(self, wait: str) -> str:
        """Tasks that make tasks, and hand numbers to them."""
        target = self._random.choice(self._arrays)
        own = f"{target}[{self._random.choice(WRITES)}]"
        return (
            "  for (int i = 0; i < M; i++) {\n#pragma omp task firstprivate(i)\n    {\n"
            f"      double u = {self._form(*self._reads(target), own)};\n"
            f"#pragma omp task firstprivate(i, u)\n      {own} = 0.3 * u * u + u;\n{wait}    }}\n  }}\n"
        )

    def _cells(self) -> str:
        """Tasks whose order is that of what they read and write."""
        target = self._random.choice(self._arrays)
        own = f"{target}[k]"
        first = self._form(f"{target}[k - 1]", f"{target}[k]", "x[k]")
        return (
            "#pragma omp parallel\n#pragma omp single\n  for (int k = 1; k < CELLS; k++) {\n"
            f"#pragma omp task depend(in : {target}[k - 1]) depend(inout : {target}[k])\n    {target}[k] = {first};\n"
            f"#pragma omp task depend(inout : {own})\n    {own} = 0.5 * {own} * {own} + x[0];\n  }}\n"
        )

    def _again(self) -> str:
        turns = self._random.randint(2, 4)
        second = self._random.choice([self._region, self._sum])
        return f"  for (int turn = 0; turn < {turns}; turn++) {{\n{self._own_loop()}{second()}  }}\n"


if __name__ == "__main__":
    sys.stdout.write(ParallelFunction(int(sys.argv[1])).program())
