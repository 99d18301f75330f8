/* Structs of a number and pointers that are read as one vector: LLVM copies small structs so (Eigen's expressions). */
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

int main(void) {
  CHECK(one_pointer, 0.5, 1.6, 0.7);
  CHECK(two_pointers, 0.5, 1.6, 0.7);
  return failures;
}
