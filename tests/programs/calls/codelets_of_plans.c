/* Plans with codelets, as transforms have them: a word of a plan is a stride for some codelets, an address for another.
 * What a codelet reads is overwritten after some calls, and stays after others. */
#include "../check.h"
#include <stdint.h>

enum { N = 3 };
typedef void codelet(const double *in, double *out, intptr_t word, intptr_t n);
struct plan {
  codelet *apply;
  struct plan *next;
  intptr_t word, n;
};

#define CODELET(name, expression)                                                                                      \
  NOINLINE static void name(const double *in, double *out, intptr_t word, intptr_t n) {                                \
    for (intptr_t i = 0; i < n; i++) {                                                                                 \
      double x = in[i * word % N], y = in[i];                                                                          \
      out[i] = expression;                                                                                             \
    }                                                                                                                  \
  }
CODELET(sum, x + y)
CODELET(product, x * y)
CODELET(sine, sin(x) * y)
CODELET(cosine, cos(x) + y)
CODELET(quotient, x / (2 + y * y))
CODELET(square, x * x - y)
CODELET(cube, x * x * x + y)
CODELET(middle, 0.5 * (x + y * y))
CODELET(root, sqrt(1 + x * x) * y)

NOINLINE static void weighted(const double *in, double *out, intptr_t word, intptr_t n) {
  const double *weights = (const double *)word;
  for (intptr_t i = 0; i < n; i++)
    out[i] = in[i] * weights[i] * weights[i];
}

static codelet *const codelets[] = {sum, product, sine, cosine, quotient, square, cube, middle, root, weighted};
enum { CODELETS = sizeof codelets / sizeof *codelets };

NOINLINE static struct plan *made(const double *weights) {
  struct plan *first = 0;
  for (int k = CODELETS; k-- > 0;) {
    struct plan *plan = malloc(sizeof *plan);
    *plan = (struct plan){codelets[k], first, k % 2 + 1, N};
    if (codelets[k] == weighted)
      plan->word = (intptr_t)weights;
    first = plan;
  }
  return first;
}

static double run(double *x) {
  double a[N], b[N], c[N], s = 0;
  memcpy(a, x, sizeof a);
  struct plan *first = made(x);
  for (struct plan *plan = first; plan; plan = plan->next) {
    plan->apply(a, b, plan->word, plan->n);
    plan->apply(b, c, plan->word, 2);
    for (int i = 0; i < N; i++)
      s += b[i] * (i + 1), a[i] = 0.3 * a[i] + tanh(b[i]);
    s += c[0] * c[1];
  }
  for (struct plan *plan = first; plan; plan = plan->next)
    plan->apply(x, b, plan->word, N), s += b[1] * b[2];
  for (struct plan *plan = first, *next; plan; plan = next)
    next = plan->next, free(plan);
  return s;
}

int main(void) {
  CHECK(run, 0.9, 1.2, 0.7);
  return failures;
}
