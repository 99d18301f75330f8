/* Work space that main made, in all kinds of requests: several directions at once, split, two at a time, in threads. The
 * work space is on main's stack or in the heap, and vectors lie anywhere in it. */
#include "../check.h"
#include <pthread.h>

extern int enzyme_width;
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);
struct two {
  double a, b;
};
extern struct two __enzyme_fwddiff_two(void *, ...);

enum { N = 200 };
typedef double quad __attribute__((vector_size(32), aligned(8)));
struct work {
  double *numbers;
  int n;
};
static struct work *works[3];

NOINLINE static void spread(struct work *w, const double *x) {
  for (int i = 0; i + 5 < w->n; i += 4) {
    quad q = {x[0], x[1], x[0] * x[1], i};
    *(quad *)(w->numbers + i + 1) = q * (x[1] + i);
  }
  w->numbers[0] = 2;
}
NOINLINE static double sum(const struct work *w) {
  double s = 0;
  quad t = {0};
  for (int i = 1; i + 5 < w->n; i += 4)
    t += *(quad *)(w->numbers + i) * *(quad *)(w->numbers + w->n - 5 - i);
  for (int k = 0; k < 4; k++)
    s += t[k] * w->numbers[0];
  return s * 1e-4;
}
static double f(double *x, int which) {
  struct work *w = works[which];
  spread(w, x);
  return sum(w);
}
static double in_heap(double *x) { return f(x, 0); }
static double on_stack(double *x) { return f(x, 1); }

static double want[2];
static int wrong;
static void *repeat(void *which) {
  for (int k = 0; k < 300; k++) {
    double x[] = {0.7, 1.3}, dx[2] = {0};
    __enzyme_autodiff((void *)f, x, dx, *(int *)which);
    if (fabs(dx[0] - want[0]) + fabs(dx[1] - want[1]) > 1e-7 * want[1])
      __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
  }
  return NULL;
}

int main(int argc, char **argv) {
  double table[N] = {0};
  for (int k = 0; k < 3; k++) {
    works[k] = malloc(argc * sizeof **works);
    *works[k] = (struct work){k == 1 ? table : malloc((argc + N) * sizeof(double)), N};
    for (int i = 0; i < N; i++)
      works[k]->numbers[i] = 7;
  }
  if (!argv)
    works[0] = works[1] = works[2] = NULL;
  CHECK(in_heap, 0.7, 1.3);
  CHECK(on_stack, 0.7, 1.3);

  double x[] = {0.7, 1.3}, y[] = {0.2, -0.4}, dx[2][2] = {{0}}, dy[2] = {0}, v[2][2] = {{1, 0}, {0, 1}}, other[2];
  for (int i = 0; i < 2; i++)
    want[i] = check_difference(in_heap, x, 2, i), other[i] = check_difference(in_heap, y, 2, i);
  struct two t = __enzyme_fwddiff_two((void *)f, enzyme_width, 2, x, v[0], v[1], 0);
  SAME(t.a, want[0]);
  SAME(t.b, want[1]);
  void *tape = __enzyme_augmentfwd((void *)f, enzyme_width, 2, x, dx[0], dx[1], 0);
  __enzyme_reverse((void *)f, enzyme_width, 2, x, dx[0], dx[1], 0, 1.0, 3.0, tape);
  for (int i = 0; i < 2; i++) {
    SAME(dx[0][i], want[i]);
    SAME(dx[1][i], 3 * want[i]);
  }

  memset(dx, 0, sizeof dx);
  void *first = __enzyme_augmentfwd((void *)f, x, dx[0], 0);
  void *second = __enzyme_augmentfwd((void *)f, y, dy, 0);
  __enzyme_reverse((void *)f, x, dx[0], 0, 1.0, first);
  __enzyme_reverse((void *)f, y, dy, 0, 1.0, second);
  for (int i = 0; i < 2; i++) {
    SAME(dx[0][i], want[i]);
    SAME(dy[i], other[i]);
  }

  pthread_t thread;
  int one = 1, last = 2;
  pthread_create(&thread, NULL, repeat, &one);
  repeat(&last);
  pthread_join(thread, NULL);
  SAME(wrong, 0);
  return failures;
}
