/* Work space in the heap that other code makes, or f when it ran as it is: arrays that change places, a pointer into
 * another's array, pointers in a struct; and of all that more, and others, between the gradients. */
#include "../check.h"

static double *now, *next, *half;
static int n;
static struct work {
  double *a, *b, *middle;
  int n;
} work;

static void prepare(int count) {
  free(now), free(next);
  n = count;
  now = malloc(n * sizeof *now), next = malloc(n * sizeof *next);
  half = now + n / 2;
}

static double swapped(double *x) {
  for (int i = 0; i < n; i++)
    now[i] = sin(x[0] * i) + x[1], next[i] = 0;
  for (int t = 0; t < 5; t++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = now[i] + x[2] * (now[i - 1] - 2 * now[i] + now[i + 1]);
    double *other = now;
    now = next;
    next = other;
  }
  double s = 0;
  for (int i = 0; i < n; i++)
    s += now[i] * now[i];
  return s;
}

static double in_halves(double *x) {
  half = now + n / 2;
  for (int i = 0; i < n; i++)
    now[i] = sin(x[0] * i) + x[1] * x[2];
  double s = 0;
  for (int i = 0; i < n / 2; i++)
    s += half[i] * now[i];
  return s;
}

NOINLINE static void reserve(struct work *w, int count) {
  if (count > w->n) {
    w->a = realloc(w->a, count * sizeof(double));
    free(w->b);
    w->b = malloc(count * sizeof(double));
    w->n = count;
  }
  w->middle = w->a + count / 2;
}
static double in_struct(double *x) {
  reserve(&work, x[1] > 1 ? 9 : 4);
  for (int i = 0; i < work.n; i++)
    work.a[i] = x[i % 3] * i, work.b[i] = x[0];
  work.middle[0] *= x[1];
  double s = 0;
  for (int i = 0; i < work.n; i++)
    s += work.a[i] * work.b[i];
  return s;
}

int main(void) {
  for (int count = 6; count < 17; count += 5) {
    prepare(count);
    CHECK(swapped, .4, -.7, .12);
    CHECK(swapped, .5, -.7, .12);
    CHECK(in_halves, .4, .3, .7);
    if (count == 11) {
      double *other = now;
      now = next, next = other;
      CHECK(swapped, .4, -.7, .12);
      free(next), next = now; /* one array by two names */
      CHECK(in_halves, .4, .3, .7);
      next = NULL;
    }
    in_struct((double[]){1, count == 11 ? 2 : 0, 3});
    CHECK(in_struct, .4, .3, .6);
    CHECK(in_struct, .4, 1.3, .6);
  }
  free(now), free(next), free(work.a), free(work.b);
  return failures;
}
