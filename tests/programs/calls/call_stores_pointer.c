/* A callee allocates and stores the pointer in a struct of the caller. */
#include "../check.h"

struct vector {
  int size, room;
  double *data;
};

NOINLINE static void push(struct vector *v, double value) {
  if (v->size == v->room) {
    v->room = v->room * 2 + 1;
    v->data = realloc(v->data, v->room * sizeof *v->data);
  }
  v->data[v->size++] = value;
}

static double run(double *x) {
  struct vector v = {0, 0, NULL};
  for (int i = 0; i < 9; i++)
    push(&v, i < 3 ? x[i] : v.data[i - 1] * v.data[i - 3]);
  double s = 0;
  for (int i = 0; i < v.size; i++)
    s += v.data[i] * i;
  free(v.data);
  return s;
}

int main(void) {
  CHECK(run, 0.9, 1.2, 0.7);
  return failures;
}
