/* Structs of a number and pointers that are read as one vector: LLVM copies small structs so (Eigen's expressions).
 * Pairs of pointers that are moved, or made, as a vector of integers or as one wide integer. */
#include "../check.h"
#include <stdint.h>

typedef double two __attribute__((vector_size(16)));
typedef int64_t two_words __attribute__((vector_size(16)));
typedef double four __attribute__((vector_size(32)));
typedef int64_t four_words __attribute__((vector_size(32)));

struct scaled {
  double factor;
  const double *numbers;
};
struct two_scaled {
  const double *first;
  double by;
  const double *second;
  double also;
};

static double one_pointer(double *x) {
  double numbers[2] = {x[0] * x[1], x[2]};
  struct scaled s = {x[0], numbers};
  two v;
  memcpy(&v, &s, sizeof v);
  const double *behind = (const double *)((two_words)v)[1];
  two both = __builtin_shufflevector(v, v, 0, 0) * (two){behind[0], behind[1]};
  return both[0] * both[1] + v[0];
}

static double two_pointers(double *x) {
  double a[2] = {x[0] * x[1], x[2]}, b[2] = {sin(x[2]), x[1]};
  struct two_scaled s = {a, x[1] * x[1], b, x[0]};
  four v;
  memcpy(&v, &s, sizeof v);
  four_words w = (four_words)v;
  const double *first = (const double *)w[0], *second = (const double *)w[2];
  return first[0] * v[1] + second[0] * v[3] * first[1] - second[1];
}

struct pair {
  const double *a, *b;
};
typedef uintptr_t pair_of_words __attribute__((vector_size(16), aligned(8), may_alias));

NOINLINE static void move(void *to, const void *from) { *(pair_of_words *)to = *(const pair_of_words *)from; }
NOINLINE static void put(void *to, const double *a, const double *b) {
  *(pair_of_words *)to = (pair_of_words){(uintptr_t)a, (uintptr_t)b};
}
NOINLINE static void put_wide(void *to, const double *a, const double *b) {
  __uint128_t both = (__uint128_t)(uintptr_t)b << 64 | (uintptr_t)a;
  memcpy(to, &both, sizeof both);
}
NOINLINE static double of_pair(const struct pair *p) { return *p->a * sin(*p->b); }

static double moved(double *x) {
  struct pair p[2] = {{x, x + 1}, {x + 1, x + 2}}, q[2];
  for (int i = 0; i < 2; i++)
    move(&q[i], &p[1 - i]);
  return of_pair(&q[0]) + x[0] * of_pair(&q[1]);
}

static double made(double *x) {
  struct pair p, q;
  put(&p, x, x + 1);
  put_wide(&q, x + 1, x + 2);
  return of_pair(&p) + x[0] * of_pair(&q);
}

/* Numbers and pointers beside each other, and words that are one or the other, moved as vectors of numbers. */
typedef double two_numbers __attribute__((vector_size(16), aligned(8), may_alias));
union word {
  double number;
  const double *pointer;
};

NOINLINE static void move_numbers(void *to, const void *from) { *(two_numbers *)to = *(const two_numbers *)from; }
NOINLINE static void choose(void *to, const void *a, const void *b, int second) {
  two_numbers chosen = *(const two_numbers *)a, other = *(const two_numbers *)b;
  if (second)
    chosen = other;
  *(two_numbers *)to = chosen;
}
NOINLINE static double of_scaled(const struct scaled *s) { return s->factor * s->numbers[0] * s->numbers[1]; }
NOINLINE static double of_words(const union word *w, int at) { return w[at].number * *w[1 - at].pointer; }

static double moved_as_numbers(double *x) {
  struct scaled s = {x[0], x}, t;
  move_numbers(&t, &s);
  return of_scaled(&t);
}
static double chosen_as_numbers(double *x) {
  struct scaled s[2] = {{x[0], x}, {x[1], x + 1}}, t;
  choose(&t, &s[0], &s[1], x[0] > 0);
  return of_scaled(&t);
}
static double words_as_numbers(double *x) {
  union word s[2] = {{.number = x[0]}, {.pointer = x + 1}}, t[2];
  move_numbers(t, s);
  double r = of_words(t, 0);
  s[0].pointer = x + 2, s[1].number = x[1] * x[0];
  move_numbers(t, s);
  return r * of_words(t, 1);
}

/* a handle that main made has no shadow */
static struct pair *handle;
static double in_handle(double *x) {
  put(&handle[0], x + 1, x + 2);
  put_wide(&handle[1], x, x + 1);
  move(&handle[2], &handle[0]);
  return of_pair(&handle[2]) + x[0] * of_pair(&handle[1]);
}
static struct pair *make(int n) { return calloc(n, sizeof *handle); }

int main(int argc, char **argv) {
  handle = argv ? make(argc + 2) : NULL;
  CHECK(one_pointer, 0.5, 1.6, 0.7);
  CHECK(two_pointers, 0.5, 1.6, 0.7);
  CHECK(moved, 0.5, 1.6, 0.7);
  CHECK(made, 0.5, 1.6, 0.7);
  CHECK(moved_as_numbers, 0.5, 1.6, 0.7);
  CHECK(chosen_as_numbers, 0.5, 1.6, 0.7);
  CHECK(words_as_numbers, 0.5, 1.6, 0.7);
  CHECK(in_handle, 0.5, 1.6, 0.7);
  free(handle);
  return failures;
}
