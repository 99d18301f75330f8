/* Buffers swapped inside a struct, by a function, an unknown number of times. */
#include "../check.h"

struct pair {
  double *now, *next;
  int steps;
};

NOINLINE static void swap(struct pair *p) {
  double *t = p->now;
  p->now = p->next;
  p->next = t;
  p->steps++;
}

static double run(double *x) {
  double a[3] = {x[0], x[1], x[2]}, b[3];
  struct pair p = {a, b, 0};
  while (p.now[0] < 10 && p.steps < 20) {
    for (int i = 0; i < 3; i++)
      p.next[i] = p.now[i] * 1.2 + p.now[(i + 1) % 3] * p.now[i] * 0.1 + 0.2;
    swap(&p);
  }
  return p.now[0] * p.now[1] + p.next[2] * p.steps;
}

int main(void) {
  CHECK(run, 0.5, 0.3, 0.7);
  CHECK(run, -0.5, 0.8, 0.2);
  return failures;
}
