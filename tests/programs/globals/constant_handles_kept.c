/* Handles that count as constant, whose address lies in an object of the differentiated function. */
#include "../check.h"

struct handle {
  double x, *work;
};
struct context {
  struct handle *handle;
  double k;
};

static NOINLINE double product(struct handle *h) { return h->x * h->work[0]; }

static NOINLINE double run(struct context *c) {
  c->handle->x = c->k * c->k;
  c->handle->work[0] = 3 * c->k;
  return product(c->handle);
}

static NOINLINE double on_stack(struct handle *h, double k, double (*callback)(struct context *)) {
  struct context c = {h, k};
  return callback(&c);
}

static NOINLINE double on_heap(struct handle *h, double k) {
  struct context *c = malloc(sizeof *c);
  c->handle = h, c->k = k;
  double result = run(c);
  free(c);
  return result;
}

int main(void) {
  double work[1] = {2}, k = 1.3;
  struct handle h = {1, work};
  SAME(__enzyme_autodiff((void *)on_stack, enzyme_const, &h, enzyme_out, k, enzyme_const, run), 9 * k * k);
  SAME(__enzyme_fwddiff((void *)on_stack, enzyme_const, &h, enzyme_dup, k, 1.0, enzyme_const, run), 9 * k * k);
  SAME(__enzyme_autodiff((void *)on_heap, enzyme_const, &h, enzyme_out, k), 9 * k * k);
  SAME(__enzyme_fwddiff((void *)on_heap, enzyme_const, &h, enzyme_dup, k, 1.0), 9 * k * k);
  return failures;
}
