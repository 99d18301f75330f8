/* A union that LLVM keeps in a register: a word that a condition makes a pointer, or the bits of a constant number. */
#include "../check.h"

struct any {
  int tag;
  union {
    double number;
    double *pointer;
    long count;
  } u;
};

static double value_of(const struct any *any) {
  return any->tag == 0 ? any->u.number : any->tag == 1 ? *any->u.pointer : any->u.count;
}

static double chosen(double *x, double constant) {
  double state[4] = {0}, sum = x[1];
  for (int i = 0; i < 4; i++) {
    struct any numbers[3];
    numbers[0].tag = 0, numbers[0].u.number = pow(1.2 + x[2] * x[2], sin(state[i & 3])) + fabs(x[2]);
    numbers[1].tag = 1, numbers[1].u.pointer = &state[2];
    numbers[2].tag = 2, numbers[2].u.count = 1;
    if (x[0] > 0)
      numbers[1].tag = 0, numbers[1].u.number = constant;
    if (state[i & 3] <= -0.4855)
      numbers[1] = numbers[0];
    sum += sin(value_of(&numbers[1]));
    state[i & 3] = tanh(value_of(numbers));
  }
  return x[0] - sin(sum) + state[2] + x[1];
}

static double small(double *x) { return chosen(x, atan(1.3572)); }
static double negative(double *x) { return chosen(x, -2.5e30); }
static double tiny(double *x) { return chosen(x, 1e-200); }

int main(void) {
  CHECK(small, 0.7, -0.8, 1.1);
  CHECK(small, -0.7, -0.8, 1.1);
  CHECK(negative, 0.7, -0.8, 1.1);
  CHECK(tiny, 0.7, -0.8, 1.1);
  return failures;
}
