/* A float lies behind an array, in structs that are copied. For a copy, the array may go on there, since a pointer to a
 * struct may point at others, too. Two adjoints of the float meet in the shadow of the first struct. */
#include "../check.h"

typedef struct handle handle;
struct handle {
  double *table;
  double (*op)(handle *, double);
  int n;
  double w[3];
  float gain;
  char name[8];
};
static handle places[3], *opened[8];
static int count;
static void *blocks[32];
static int used;

static double one(handle *h, double x) { return h->w[0] * sin(x); }
static void *allocate(size_t size) { return blocks[used++] = calloc(1, size); }
static void make(handle *h, int n, double w) {
  h->table = allocate(n * sizeof *h->table);
  for (int i = 0; i < n; i++)
    h->table[i] = i + 1, h->w[i] = w * i;
  h->n = n, h->gain = 1.5f;
}
static handle *open_handle(int n, double w) {
  handle *h = allocate(sizeof *h);
  make(h, n, w);
  return opened[count++ % 8] = h;
}
static double value_of(handle *h, double x) {
  double s = h->op ? h->op(h, x) : 0;
  for (int i = 0; i < h->n; i++)
    s += sin(h->table[i]) * (h->w[i % 3] + x);
  return tanh(s * h->gain / 4);
}
static double f(double *x) {
  handle a = {0}, *b = open_handle(3, x[0] * x[1]), *c = &places[2], *copied = allocate(sizeof *copied);
  *copied = *opened[0];
  double s = value_of(copied, x[0]);
  b->op = one;
  handle t = *opened[0];
  *opened[0] = a, a = t;
  s += value_of(&a, x[0]) + value_of(b, x[1]) * value_of(c, x[2]);
  for (count = 0; used;)
    free(blocks[--used]);
  return s;
}

int main(void) {
  CHECK(f, 0.31, 1.22, -0.73);
  return failures;
}
