/* Blocks that begin with a header of integers, and whose size is known at run time only, are copied as a whole. */
#include "../check.h"

#define BLOCK(NAME, HEADER, COUNT, NUMBER)                                                                             \
  static double NAME(double *x) {                                                                                      \
    int n = (int)x[3];                                                                                                 \
    HEADER *header = malloc(sizeof *header + n * sizeof(NUMBER));                                                      \
    memset(header, 0, sizeof *header);                                                                                 \
    header->COUNT = n;                                                                                                 \
    NUMBER *numbers = (NUMBER *)(header + 1);                                                                          \
    for (int i = 0; i < n; i++)                                                                                        \
      numbers[i] = x[i];                                                                                               \
    size_t size = sizeof *header + header->COUNT * sizeof(NUMBER);                                                     \
    HEADER *copy = malloc(size);                                                                                       \
    memcpy(copy, header, size);                                                                                        \
    NUMBER *copied = (NUMBER *)(copy + 1);                                                                             \
    double sum = 0;                                                                                                    \
    for (int i = 0; i < (int)copy->COUNT; i++)                                                                         \
      sum += copied[i] * copied[i] * (i + 1);                                                                          \
    free(header);                                                                                                      \
    free(copy);                                                                                                        \
    return sum;                                                                                                        \
  }

struct sizes {
  size_t degree, dimension, count, knots;
};
struct counts {
  int kind[6], count, rest;
};
struct many {
  size_t count, index[40];
};
struct far {
  size_t index[9000], count;
};
struct one {
  size_t count;
};
BLOCK(sizes_of_doubles, struct sizes, count, double)
BLOCK(counts_of_doubles, struct counts, count, double)
BLOCK(counts_of_floats, struct counts, count, float)
BLOCK(many_of_doubles, struct many, count, double)
BLOCK(far_of_doubles, struct far, count, double)
BLOCK(far_of_floats, struct far, count, float)
BLOCK(one_of_doubles, struct one, count, double)

/* The header as an array, and two arrays of numbers behind it. */
static double words(double *x) {
  enum { HEADER = 5 };
  size_t n = (size_t)x[3], size = (HEADER + 2 * n) * sizeof(size_t);
  size_t *block = malloc(size), *copy = malloc(size);
  for (int i = 0; i < HEADER; i++)
    block[i] = n;
  double *first = (double *)(block + HEADER), *second = first + n;
  for (size_t i = 0; i < n; i++) {
    first[i] = x[i];
    second[i] = x[i] * x[0];
  }
  memcpy(copy, block, size);
  first = (double *)(copy + HEADER);
  second = first + copy[1];
  double sum = 0;
  for (size_t i = 0; i < copy[0]; i++)
    sum += first[i] * second[i];
  free(block);
  free(copy);
  return sum;
}

int main(void) {
  CHECK(sizes_of_doubles, 0.5, 1.5, 2.5, 3.4);
  CHECK(counts_of_doubles, 0.5, 1.5, 2.5, 3.4);
  CHECK(many_of_doubles, 0.5, 1.5, 2.5, 3.4);
  CHECK(far_of_doubles, 0.5, 1.5, 2.5, 3.4);
  CHECK(one_of_doubles, 0.5, 1.5, 2.5, 3.4);
  CHECK(words, 0.5, 1.5, 2.5, 3.4);
  double x[] = {0.5, 1.5, 2.5, 3.4}, counted[4] = {0}, far[4] = {0};
  __enzyme_autodiff((void *)counts_of_floats, x, counted); /* differences of floats are too rough */
  __enzyme_autodiff((void *)far_of_floats, x, far);
  for (int i = 0; i < 3; i++) {
    SAME(counted[i], 2 * (i + 1) * x[i]);
    SAME(far[i], 2 * (i + 1) * x[i]);
  }
  return failures;
}
