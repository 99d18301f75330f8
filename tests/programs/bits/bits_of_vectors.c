/* The bits of numbers in vectors: exponents, fractions, guesses. */
#include "../check.h"
#include <stdint.h>

typedef float floats __attribute__((vector_size(16)));
typedef int32_t integers __attribute__((vector_size(16)));

static floats loaded(const float *x) { floats v = {x[0], x[1], x[2], x[0] * x[1]}; return v; }
static float total(floats v) { return v[0] * v[1] + v[2] * v[3]; }

static floats logarithms(floats x) {
  integers i = (integers)x, exponents = (i >> 23) - 127;
  floats m = (floats)((i & 0x007fffff) | 0x3f800000), s = (m - 1) / (m + 1), s2 = s * s;
  floats k = __builtin_convertvector(exponents, floats);
  return 2 * s * (1 + s2 * (1.0f / 3 + s2 * (1.0f / 5 + s2 * (1.0f / 7 + s2 * (1.0f / 9 + s2 / 11))))) + k * 0.693147181f;
}

static floats exponentials(floats x) {
  floats sum = x * 1.44269504f + 0x1.8p23f, k = sum - 0x1.8p23f, r = x - k * 0.693147181f;
  floats series = 1 + r * (1 + r / 2 * (1 + r / 3 * (1 + r / 4 * (1 + r / 5 * (1 + r / 6)))));
  return series * (floats)(((integers)sum + 127) << 23);
}

static float logs(float *x) { return total(logarithms(loaded(x))); }
static double logs_twin(double *x) { return log(x[0]) * log(x[1]) + log(x[2]) * log(x[0] * x[1]); }
static float exps(float *x) { return total(exponentials(loaded(x))); }
static double exps_twin(double *x) { return exp(x[0]) * exp(x[1]) + exp(x[2]) * exp(x[0] * x[1]); }

int main(void) {
  CHECK_FLOAT(logs, logs_twin, 0.6, 5.5, 3.1);
  CHECK_FLOAT(exps, exps_twin, 0.6, -1.5, 0.9);
  return failures;
}
