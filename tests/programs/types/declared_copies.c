/* Copies of blocks that analysis cannot tell apart, for all stand in one table: what the copies declare tells. A new block
 * is zeroed, of which no declaration tells. Without optimisation, clang declares nothing. */
#include "../check.h"
enum { N = 8 };

struct fit {
  double *weights;
  double bias;
};
struct model {
  int kind, rows;
  double *weights, *labels;
  double bias;
};

static void *table[6];

NOINLINE static void put(int k, void *block) { table[k] = block; }

NOINLINE static double sum(int k) {
  double *numbers = table[k], s = 0;
  for (int i = 0; i < N; i++)
    s += numbers[i] * (i + 1);
  return s;
}

NOINLINE static double of_float(int k) { return ((float *)table[k])[0] + ((float *)table[k])[2] + ((float *)table[k])[4]; }

NOINLINE static double of_row(int k) { return ((double **)table[k])[2][1]; }

NOINLINE static int of_int(int k) { return ((int *)table[k])[0] + ((int *)table[k])[1]; }

struct rows {
  double **rows;
};

NOINLINE static void copy_rows(struct rows *to, double **rows, int n) {
  to->rows = malloc(n * sizeof *rows);
  memcpy((void *)to->rows, (void *)rows, n * sizeof *rows);
}

NOINLINE static void copy_numbers(double *to, const double *from, int n) {
  for (int i = 0; i < n; i++)
    to[i] = from[i];
}

NOINLINE static void copy_fits(struct fit *to, const struct fit *from) { *to = *from; }

NOINLINE static struct model *new_model(int kind) {
  struct model *made = malloc(sizeof *made);
  put(5, made);
  memset(&made->weights, 0, 2 * sizeof made->weights);
  made->kind = kind, made->rows = 1, made->bias = 0;
  return made;
}

static double run(double *x) {
  double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), **rows = malloc(4 * sizeof *rows);
  float *f = calloc(5, sizeof *f);
  int *n = malloc(4 * sizeof *n);
  struct rows copied;
  struct fit *fits = malloc(2 * sizeof *fits);
  struct model *model = new_model(3);
  for (int i = 0; i < N; i++)
    a[i] = x[0] * i + x[1];
  for (int i = 0; i < 4; i++)
    rows[i] = a + i;
  *f = 1.5f, n[0] = 1, n[1] = 2;
  fits[0].weights = a, fits[0].bias = x[0] * x[1];
  put(1, x); /* memory of the caller, too */
  put(0, a), put(1, b), put(2, rows), put(3, f), put(4, n), put(5, fits);
  copy_rows(&copied, rows, 4);
  put(2, copied.rows);
  copy_numbers(b, a, N);
  copy_fits(&fits[1], &fits[0]);
  put(5, model);
  model->weights = fits[1].weights, model->bias = fits[1].bias * x[0];
  struct model *same = table[5];
  double value = sum(1) * x[1] + of_row(2) * of_float(3) * of_int(4) + same->weights[3] * same->bias;
  free(a), free(b), free(rows), free(f), free(n), free(fits), free(copied.rows), free(model);
  return value;
}

int main(void) {
#ifdef __OPTIMIZE__
  CHECK(run, 0.5, 1.25);
#endif
  return failures;
}
