"""Random C programs that call BLAS, LAPACK and FFTW.

They have sizes, strides, aliasing, branches around calls, calls in loops, pointers to routines, and plans that are made
inside and outside. `python -m tests.random.routines.random_routines SEED` prints one."""

import random
import sys
from string import Template

_HEAD = """\
#include "check.h"
#include <fftw3.h>
#ifndef INTEGER
#define INTEGER int
#endif
typedef const char *C;
typedef INTEGER *O;
typedef const INTEGER *I;
typedef double *W;
extern void dgemm_(C, C, I, I, I, const double *, W, I, W, I, const double *, W, I);
extern void dgemv_(C, I, I, const double *, W, I, W, I, const double *, W, I);
extern void daxpy_(I, const double *, W, I, W, I);
extern void dtrsm_(C, C, C, C, I, I, const double *, W, I, W, I);
extern void dtrmv_(C, C, C, I, W, I, W, I);
extern void dscal_(I, const double *, W, I);
extern void dsyrk_(C, C, I, I, const double *, W, I, const double *, W, I);
extern void dswap_(I, W, I, W, I);
extern void dcopy_(I, W, I, W, I);
extern void dpotrf_(C, I, W, I, O);
extern void dpotrs_(C, I, I, W, I, W, I, O);
extern void dgesv_(I, I, W, I, O, W, I, O);
extern void dgeqrf_(I, I, W, I, W, W, I, O);
extern void dormqr_(C, C, I, I, I, W, I, W, W, I, W, I, O);
extern void dgetrf_(I, I, W, I, O, O);
extern void dgetrs_(C, I, I, W, I, I, W, I, O);
extern void dsyev_(C, C, I, W, I, W, W, I, O);
extern void dgtsv_(I, I, W, W, W, W, I, O);
extern double ddot_(I, W, I, W, I), dnrm2_(I, W, I), dasum_(I, W, I);
typedef void product(C, C, I, I, I, const double *, W, I, W, I, const double *, W, I);
static double A[3][SIZE], V[3][SIZE], work[4096];
static INTEGER pivots[SIZE], info, space = 4096;
static fftw_plan P[2];
static product *volatile chosen = dgemm_;
static product *const table[] = {dgemm_, dgemm_};
#define AT(I) (const INTEGER[]){I}
#define NUMBER(X) (const double[]){X}
"""
_TAIL = """\
  double s = 0;
  for (int k = 0; k < 3; k++) for (int i = 0; i < SIZE; i++)
    s += sin(A[k][i]) * (0.05 + 0.01 * (i % 7)) + V[k][i] * V[k][i] / (1 + V[k][i] * V[k][i]) * 0.1;
  return s;
}

int main(void) {
  P[0] = fftw_plan_r2r_1d(N, V[0], V[1], FFTW_REDFT10, FFTW_ESTIMATE);
  P[1] = fftw_plan_dft_1d(N, (fftw_complex *)A[1], (fftw_complex *)A[1], FFTW_FORWARD, FFTW_ESTIMATE);
  CHECK(f, 0.3, -1.2, 0.7, 1.1);
  return failures;
}
"""


#: A of small numbers with a diagonal that is larger than their sums
_DOMINANT = (
    "for (int a = 0; a < SIZE; a++) A[$i][a] = a % (LD + 1) ? sin(A[$i][a]) : 9 + x[a % 4] + 0.1 * sin(A[$i][a]);"
)
#: i and j are any of the three matrices, k is another one than both
_STEPS = (
    """$product("$trans", "$other", AT($m), AT($m), AT(N), NUMBER($alpha), A[$i] + $offset, AT(LD), A[$j], AT(LD),
             NUMBER($beta), A[$k], AT(LD));""",
    """dgemv_("$trans", AT($m), AT($m), NUMBER($alpha), A[$i] + $offset, AT(LD), V[$j], AT($step), NUMBER($beta),
           V[($j + 1) % 3], AT(2));""",
    "daxpy_(AT(N), NUMBER($alpha), A[$i] + $offset, AT(LD), V[$j] + 1, AT($step));",
    "daxpy_(AT(N), NUMBER($alpha), V[$i], AT(1), V[$i], AT(1));",
    'dtrmv_("$uplo", "$trans", "U", AT($m), A[$i] + $offset, AT(LD), V[$j], AT($step));',
    f"""{_DOMINANT}
    dtrsm_("$side", "$uplo", "$trans", "N", AT($m), AT($m), NUMBER(x[3]), A[$i], AT(LD), A[$k], AT(LD));""",
    """dsyrk_("$uplo", "$trans", AT($m), AT(N), NUMBER($alpha), A[$i], AT(LD), NUMBER($beta), A[$k], AT(LD));""",
    "dswap_(AT(N), A[$i], AT(2), A[$k], AT($step));",
    "dcopy_(AT(N), V[$i], AT($step), A[$j] + $offset, AT(LD));",
    f"""{_DOMINANT}
    dpotrf_("$uplo", AT(N), A[$i], AT(LD), &info);
    dpotrs_("$uplo", AT(N), AT($m), A[$i], AT(LD), A[$k], AT(LD), &info);""",
    f"{_DOMINANT} dgesv_(AT(N), AT(1), A[$i], AT(LD), pivots, V[$j], AT(LD), &info);",
    f"""{_DOMINANT}
    dgetrf_(AT(N), AT(N), A[$i], AT(LD), pivots, &info);
    for (int q = 0; q < 2; q++)
      dgetrs_("$trans", AT(N), AT($m), A[$i], AT(LD), pivots, A[$k] + q * LD * LD, AT(LD), &info);""",
    f"""{_DOMINANT}
    dgeqrf_(AT(N), AT(N), A[$i], AT(LD), work, work + 64, &space, &info);
    dormqr_("L", "$trans", AT(N), AT(1), AT(N), A[$i], AT(LD), work, V[$j], AT(LD), work + 64, &space, &info);""",
    """for (int a = 0; a < SIZE; a++) A[$i][a] = a % (LD + 1) ? 0.2 * sin(A[$i][a]) : 3 * a;
    dsyev_("$job", "$uplo", AT(N), A[$i], AT(LD), V[$j], work, &space, &info);""",
    """for (int a = 0; a < N; a++) V[$i][a] = 5 + sin(V[$i][a]);
    dgtsv_(AT(N), AT(1), A[$i], V[$i], A[$i] + N, V[($i + 1) % 3], AT(LD), &info);""",
    "V[$i][1] += ddot_(AT($m), A[$j], AT($step), V[$k], AT(1)) * 0.1 + dnrm2_(AT(N), V[$i], AT(1));",
    "V[$i][0] *= 1 / (1 + dasum_(AT(N), A[$k] + $offset, AT(1)));",
    "fftw_execute(P[$plan]);",
    """fftw_plan p = fftw_plan_dft_r2c_1d(N, V[$i], (fftw_complex *)A[$j], FFTW_ESTIMATE);
    fftw_execute(p);
    fftw_destroy_plan(p);""",
)
#: in a block, in a branch, and in a loop, where numbers stay of the order of 1
_FORMS = (
    "{ %(step)s }",
    "if (x[%(number)d] > %(limit)d) { %(step)s } else V[0][0] += x[%(number)d];",
    """for (int l = 0; l < %(count)d; l++) {
    %(step)s
    for (int i = 0; i < SIZE; i++) A[0][i] = tanh(A[0][i]), A[1][i] *= 0.5, V[0][i] = sin(V[0][i]) + x[0] * 0.1;
  }""",
)


class RoutineProgram:
    """Writes one program: steps on three matrices A and three vectors V, whose numbers stay of the order of 1."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.n = self.random.randint(2, 5)
        self.ld = self.n + self.random.choice((0, 1, 3))

    def program(self) -> str:
        """Returns the text of the program."""
        steps = "\n".join(f"  {self._placed(self._step())}" for _ in range(self.random.randint(3, 7)))
        sizes = f"enum {{ N = {self.n}, LD = {self.ld}, SIZE = {2 * self.ld * self.ld} }};\n"
        matrix = "A[k][i] = sin(x[(i + k) % 4] * (1 + i % 5) + k) * 0.5 + (i % (LD + 1) == 0) * 2"
        filled = f"{matrix}, V[k][i] = cos(x[i % 4] + i + k)"
        loop = f"  for (int k = 0; k < 3; k++) for (int i = 0; i < SIZE; i++) {filled};\n"
        return f"{sizes}{_HEAD}\nstatic double f(double *x) {{\n{loop}{steps}\n{_TAIL}"

    def _placed(self, step: str) -> str:
        """Puts a step into a branch or a loop, or leaves it."""
        r = self.random
        values = {"number": r.randint(0, 3), "limit": r.choice((-2, 0, 2)), "count": r.randint(1, 3), "step": step}
        return r.choice(_FORMS) % values

    def _step(self) -> str:
        """Returns one call, or a few that belong together."""
        r = self.random
        i, j, m = r.randrange(3), r.randrange(3), r.randint(1, self.n)
        return Template(r.choice(_STEPS)).substitute(
            i=i,
            j=j,
            k=r.choice([number for number in range(3) if number not in (i, j)]),
            m=m,
            trans=r.choice("NT"),
            other=r.choice("NTC"),
            uplo=r.choice("UL"),
            side=r.choice("LR"),
            job=r.choice("NV"),
            step=r.choice((1, 2, -1)),
            offset=r.choice((0, 0, 1, self.ld)) if m < self.n else 0,
            alpha=r.choice(("0.5", "x[0] * 0.3", "0")),
            beta=r.choice(("0", "0.7", "x[1]")),
            product=r.choice(("dgemm_", "chosen", "table[x[2] > 0.5]")),
            plan=r.randint(0, 1),
        )


if __name__ == "__main__":
    print(RoutineProgram(int(sys.argv[1])).program())
