"""Random functions that make threads and join them, as C source: one program with a main of its own.

`python -m tests.random.threads.made SEED` prints a program. It makes as many threads as the environment's THREADS says.
"""

from __future__ import annotations

import sys

from .openmp import END, HEAD, START, WRITES, ParallelFunction

_DECLARATIONS = """#include <pthread.h>

static int threads;
typedef struct {
  double *a, *b, *c, *s, *t;
  const double *x;
  pthread_mutex_t *lock;
  int *next, number, begin, end;
  double sum;
} work;
"""
#: which iterations a thread does: a part, every so many, those that are left
_LOOPS = [
    "for (int i = w->begin; i < w->end; i++)",
    "for (int i = w->begin; i < w->end; i++)",
    "for (int i = w->number; i < M; i += threads)",
    "for (int i; (i = __atomic_fetch_add(w->next, 1, __ATOMIC_RELAXED)) < M;)",
]
#: what a thread does with its sum
_ENDS = [
    "w->sum = u;",
    "pthread_mutex_lock(w->lock);\n  *w->s += u;\n  pthread_mutex_unlock(w->lock);",
    "pthread_mutex_lock(w->lock);\n  *w->t = *w->t * (1 + 0.01 * u);\n  pthread_mutex_unlock(w->lock);",
]
_MAKE = """  next = 0;
  for (int k = 0; k < threads; k++) {{
    w[k] = (work){{a, b, c, &s, &t, x, &lock, &next, k, M * k / threads, M * (k + 1) / threads, 0}};
    {0}
  }}
"""
#: how a thread gets its work; one frees what it is given
_GIVEN = "work *w = given;"
_FREED = "work *w = *(work **)given;\n  free(given);"
_GIVE = "work **given = malloc(sizeof *given);\n    *given = &w[k];"
_JOIN = """  for (int k = 0; k < threads; k++)
    pthread_join(made[k], NULL);
  for (int k = 0; k < threads; k++)
    s += w[k].sum;
"""


class MadeThreads(ParallelFunction):
    """A random function `f` of N numbers, whose threads work on arrays a, b, c and numbers s, t."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._records, self._calls = [], False
        self._functions: list[str] = []

    def program(self) -> str:
        steps = "".join(self._make() for _ in range(self._random.randint(1, 4)))
        own = "  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n  pthread_t made[8];\n  work w[8];\n  int next;\n"
        body = f"  double a[M], b[M], c[M], s = x[0], t = x[1], o = 0;\n{own}{START}{steps}{END}"
        body += "  return s * 0.1 + t + o;\n}\n"
        main = '  threads = atoi(getenv("THREADS"));\n  make_indices();\n'
        main += "  CHECK(f, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);\n  return failures;\n"
        declarations = _DECLARATIONS + "".join(self._functions)
        head = HEAD.replace("#include <omp.h>\n", "")
        return f"{head}\n{declarations}\nstatic double f(double *x) {{\n{body}\nint main(void) {{\n{main}}}\n"

    def _make(self) -> str:
        """Returns statements that make threads and join them. Some steps do so several times, or with two functions."""
        r = self._random
        frees, target, index, loop = r.random() < 0.3, r.choice(self._arrays), r.choice(WRITES), r.choice(_LOOPS)
        first, second = (self._function(frees, target, index, loop) for _ in range(2))
        table = f"((void *(*[])(void *)){{{first}, {second}}})[k % 2]"
        choices = [first, first, f"k % 2 ? {first} : {second}", table]
        function = r.choice(choices[:1] if "fetch" in loop else choices)  # which thread does what, is not known there
        create = f"pthread_create(&made[k], NULL, {function}, {'given' if frees else '&w[k]'});"
        create = f"{_GIVE}\n    {create}" if frees else create
        own = f"  o += {r.choice(['x[0] * x[1]', 'sin(x[2])'])};\n" if r.random() < 0.3 else ""
        step = f"{_MAKE.format(create)}{own}{_JOIN}"
        return step if r.random() < 0.7 else f"  for (int turn = 0; turn < 2; turn++) {{\n{step}  }}\n"

    def _function(self, frees: bool, target: str, index: str, loop: str) -> str:
        """Makes a function that writes to one place of an array in each iteration. Returns its name."""
        name = f"run_{len(self._functions)}"
        run = self._run(_FREED if frees else _GIVEN, target, index, loop)
        self._functions.append(f"static void *{name}(void *given) {{\n{run}  return NULL;\n}}\n")
        return name

    def _run(self, given: str, target: str, index: str, loop: str) -> str:
        r = self._random
        own = f"  {given}\n  double *a = w->a, *b = w->b, *c = w->c, u = 0;\n  const double *x = w->x;\n"
        written, values = f"{target}[{index}]", self._reads(target)
        statements = [
            f"{written} = {self._form(*values)};",
            f"{written} = 0.5 * {written} * sin({written}) + {self._form(*values)};",
            f"u += {self._form(*self._reads(target))};",
        ]
        end = r.choice(_ENDS if "fetch" not in loop else _ENDS[:2])  # the product depends on what each thread does
        unused = "  (void)a, (void)b, (void)c, (void)x;\n"
        chosen = r.sample(statements, r.randint(1, 2)) if r.random() < 0.8 else statements[2:]
        lines = "".join(f"    {statement}\n" for statement in chosen)
        return f"{own}{unused}  {loop} {{\n{lines}  }}\n  {end}\n"


if __name__ == "__main__":
    sys.stdout.write(MadeThreads(int(sys.argv[1])).program())
