/* Inactive functions store pointers to new memory behind their arguments: the memory is constant, and its shadow is not
 * the null that was there before. Calls may store nothing, replace what was there, or store by way of other functions. */
#include "../check.h"

enum { N = 4 };
struct part {
  double *weights;
  int *order;
};
struct table {
  double *values;
  int *order;
  struct part *part;
};

#define INACTIVE __attribute__((enzyme_inactive)) NOINLINE

static NOINLINE int *fresh(int step) {
  int *made = malloc(N * sizeof *made);
  for (int i = 0; i < N; i++)
    made[i] = (i * step + 1) % N;
  return made;
}
static NOINLINE void put(int **place, int step) {
  free(*place);
  *place = fresh(step);
}
INACTIVE static void reorder(struct table *t, int step, int **seen) {
  if (step > 1)
    put(&t->order, step);
  if (seen)
    *seen = t->order;
}
INACTIVE static void weigh(struct table *t) {
  if (!t->part)
    return;
  t->part->weights = malloc(N * sizeof(double));
  for (int i = 0; i < N; i++)
    t->part->weights[i] = i + 2;
}
INACTIVE static void order_part(struct part *p) { put(&p->order, 3); }
INACTIVE static void both(struct table *t) {
  order_part(t->part);
  weigh(t);
}

static NOINLINE void fill(struct table *t, double x) {
  t->values = malloc(N * sizeof(double));
  for (int i = 0; i < N; i++)
    t->values[i] = x * (i + 1);
}

/* The integers are copied beside numbers, so that their shadow is copied, too. */
static NOINLINE double mixed(const struct table *t) {
  const int integers = N * sizeof(int), numbers = N * sizeof(double);
  char *packed = malloc(integers + numbers);
  memcpy(packed, t->order, integers);
  memcpy(packed + integers, t->values, numbers);
  double s = 0, v;
  for (int i = 0, k; i < N; i++) {
    memcpy(&k, packed + i * sizeof k, sizeof k);
    memcpy(&v, packed + integers + k * sizeof v, sizeof v);
    s += (i + 1) * v * v;
  }
  free(packed);
  return s;
}

static double replaced(double *x) {
  struct table t = {0};
  int *seen = NULL;
  double s = 0;
  fill(&t, x[0]);
  for (int step = 3; step < 9; step += 2) {
    reorder(&t, step, step == 5 ? &seen : NULL);
    s += mixed(&t) * x[0];
  }
  reorder(&t, 1, NULL);
  s += mixed(&t) + (seen != NULL);
  free(t.order);
  free(t.values);
  return s;
}

/* Numbers that the function made are constants; what is stored over them is not. */
static double written(double *x) {
  struct table t = {0};
  double s = 0;
  fill(&t, x[0]);
  weigh(&t);
  t.part = calloc(1, sizeof *t.part);
  both(&t);
  for (int i = 0; i < N; i++)
    s += t.part->weights[i] * t.values[t.part->order[i]];
  for (int i = 0; i < N; i++) {
    t.part->weights[i] *= x[0];
    s += t.part->weights[i] * t.values[i];
  }
  free(t.part->weights);
  free(t.part->order);
  free(t.part);
  free(t.values);
  return s;
}

int main(void) {
  CHECK(replaced, 1.3);
  CHECK(written, 0.7);
  return failures;
}
