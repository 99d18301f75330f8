/* A new state computed beside the old one and copied over it: by a loop, by memcpy, in part, with something between; the
 * contents come back from where they were copied to. */
#include "../check.h"

enum { N = 4 };

#define CELL(name, between, copy, behind)                                                                              \
  static inline double name##_of(const double *restrict w, double *restrict h, double *restrict next, int n,           \
                                   int steps) {                                                                        \
    double loss = 0;                                                                                                   \
    for (int t = 0; t < steps; t++) {                                                                                  \
      for (int i = 0; i < n; i++) {                                                                                    \
        double s = 0.1 * t;                                                                                            \
        for (int j = 0; j < n; j++)                                                                                    \
          s += w[i * n + j] * h[j];                                                                                    \
        next[i] = tanh(s);                                                                                             \
      }                                                                                                                \
      between;                                                                                                         \
      copy;                                                                                                            \
      behind;                                                                                                          \
    }                                                                                                                  \
    for (int i = 0; i < n; i++)                                                                                        \
      loss += h[i] * h[i] * (1 + i);                                                                                   \
    return loss;                                                                                                       \
  }                                                                                                                    \
  static double name(double *x) {                                                                                      \
    double next[N] = {0};                                                                                              \
    return name##_of(x, x + N * N, next, N, 4) + next[1];                                                              \
  }                                                                                                                    \
  static double name##_of_caller(double *x) {                                                                          \
    double *next = x + N * N + N;                                                                                      \
    return name##_of(x, x + N * N, next, N, 3) * next[0];                                                              \
  }

CELL(by_loop, , for (int i = 0; i < n; i++) h[i] = next[i], )
CELL(by_memcpy, , memcpy(h, next, n * sizeof *h), )
CELL(in_part, , for (int i = 1; i < n; i++) h[i] = next[i], )
CELL(changed_between, next[t % n] *= 0.5, memcpy(h, next, n * sizeof *h), )
CELL(changed_behind, , for (int i = 0; i < n; i++) h[i] = next[i], next[t % n] = h[(t + 1) % n] * 0.3)
CELL(sometimes, , if (t % 2) memcpy(h, next, n * sizeof *h), )
CELL(left_early, if (next[0] > 0.9) break, memcpy(h, next, n * sizeof *h), )
CELL(twice, , memcpy(h, next, n * sizeof *h); for (int i = 0; i < n; i++) next[i] = sin(h[i] * 2);
     for (int i = 0; i < n; i++) h[i] = next[i], )

#define BOTH(name)                                                                                                     \
  CHECK(name, 0.5, 1.2, 0.7, -0.4, 0.3, 0.2, 0.9, -1.0, 0.1, 0.6, -0.3, 0.8, 0.2, -0.1, 0.4, 0.3, 0.3, -0.2, 0.5, 0.8);\
  CHECK(name##_of_caller, 0.5, 1.2, 0.7, -0.4, 0.3, 0.2, 0.9, -1.0, 0.1, 0.6, -0.3, 0.8, 0.2, -0.1, 0.4, 0.3, 0.3,     \
        -0.2, 0.5, 0.8, 1, 2, 3, 4)

int main(void) {
  BOTH(by_loop);
  BOTH(by_memcpy);
  BOTH(in_part);
  BOTH(changed_between);
  BOTH(changed_behind);
  BOTH(sometimes);
  BOTH(left_early);
  BOTH(twice);
  return failures;
}
