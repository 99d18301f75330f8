/* A function of one number in both modes against differences: right, or how it is wrong. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
#include <cstring>
#include <utility>
#endif
#define SIZE ((int)sizeof(T))
#ifdef __cplusplus
extern "C" {
#endif
#define DECLARE(T) extern T __enzyme_autodiff_##T(T (*)(T), T), __enzyme_fwddiff_##T(T (*)(T), T, T);
DECLARE(double)
DECLARE(float)
#ifdef __cplusplus
}
#endif

static void judge(double reverse, double forward, double want, double tolerance) {
  int right = fabs(reverse - want) <= tolerance * (1 + fabs(want)) && fabs(forward - want) <= tolerance * (1 + fabs(want));
  fflush(stdout);
  fprintf(stderr, "%s reverse %.9g, forward %.9g, expected %.9g\n", right ? "RIGHT" : "WRONG", reverse, forward, want);
}

#define TRY_BY(T, f, h, tolerance)                                                                                     \
  do {                                                                                                                 \
    T up = f((T)(1.5 + h)), down = f((T)(1.5 - h));                                                                    \
    T reverse = __enzyme_autodiff_##T(f, (T)1.5), forward = __enzyme_fwddiff_##T(f, (T)1.5, (T)1);                     \
    judge(reverse, forward, ((double)up - down) / (2 * h), tolerance);                                                 \
  } while (0)
#define TRY(T, f) TRY_BY(T, f, (sizeof(T) == 8 ? 1e-4 : 1.0 / 64), (sizeof(T) == 8 ? 1e-5 : 2e-2))
/* a function with some numbers of type float */
#define TRY_ROUGHLY(T, f) TRY_BY(T, f, 1.0 / 64, 2e-3)
