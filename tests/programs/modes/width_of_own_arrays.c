/* Forward mode in several directions through arrays that the function makes: one that may be null, and two that change
 * places in each step. Each direction has shadows of its own for them, which do not overlap. */
#include "../check.h"

extern int enzyme_width;
typedef struct {
  double d[4];
} four;
extern four __enzyme_fwddiff_four(void *, ...);

static double run(const double *x, int n, int steps, int count) {
  double *now = malloc(n * sizeof *now), *next = calloc(n, sizeof *next);
  double *sums = count ? calloc(count, sizeof *sums) : NULL, total = 0;
  for (int i = 0; i < n; i++)
    now[i] = x[i % 4] + 0.1 * i;
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < n; i++)
      next[i] = now[i] * now[(i + 1) % n] + x[1];
    for (int i = 0; i < count; i++)
      sums[i] += x[0] * next[i] + x[3];
    double *kept = now;
    now = next, next = kept;
  }
  for (int i = 0; i < n; i++)
    total += now[i];
  for (int i = 0; i < count; i++)
    total += sin(sums[i]);
  free(now), free(next), free(sums);
  return total;
}

int main(void) {
  double x[4] = {0.5, 0.2, 0.7, -0.3}, v[4][4];
  for (int count = 0; count <= 7; count += 7) {
    for (int k = 0; k < 16; k++)
      v[k / 4][k % 4] = check_number(k);
    four got = __enzyme_fwddiff_four((void *)run, enzyme_width, 4, enzyme_dup, x, v[0], v[1], v[2], v[3], enzyme_const, 7,
                                     enzyme_const, 3, enzyme_const, count);
    for (int k = 0; k < 4; k++)
      same("direction", k, got.d[k],
           __enzyme_fwddiff((void *)run, enzyme_dup, x, v[k], enzyme_const, 7, enzyme_const, 3, enzyme_const, count), 1e-14);
    double moved[2];
    for (int side = 0; side < 2; side++) {
      double at[4];
      for (int i = 0; i < 4; i++)
        at[i] = x[i] + (side ? 1e-6 : -1e-6) * v[2][i];
      moved[side] = run(at, 7, 3, count);
    }
    SAME(got.d[2], (moved[1] - moved[0]) / 2e-6);
  }
  return failures;
}
