/* enzyme_runtime_activity: functions that are called with local memory only, or with local memory here and with rows
   that may be their own shadows there. They pass it on to themselves and to others, or are passed null. */
#include "../check.h"
#include <stdlib.h>
#include <string.h>

extern int enzyme_runtime_activity;
extern double __enzyme_fwddiff(void *, ...);
enum { LENGTH = 5 };

NOINLINE static void smooth(double *row, int times) { /* local memory only */
  for (int i = 1; i < LENGTH; i++)
    row[i] = 0.5 * (row[i] + sin(row[i - 1]));
  if (times > 1)
    smooth(row, times - 1);
}

NOINLINE static double norm(const double *row) { /* any memory */
  double sum = 0;
  for (int i = 0; i < LENGTH; i++)
    sum += row[i] * row[i];
  return sqrt(sum);
}

NOINLINE static double value(const double *row, double *slopes) { /* null, or local memory */
  double sum = 0;
  for (int i = 0; i < LENGTH; i++) {
    sum += sin(row[i]);
    if (slopes)
      slopes[i] = cos(row[i]);
  }
  return sum;
}

NOINLINE static double *grown(double *row, int length) { /* moves what it is passed, which others made */
  double *more = realloc(row, 2 * length * sizeof *row);
  for (int i = length; i < 2 * length; i++)
    more[i] = more[i - length] * 0.7;
  return more;
}

/* is requested with rows that may be their own shadows, and calls itself with local ones */
NOINLINE static double f(const double *row, double x, int depth) {
  double copy[LENGTH], slopes[LENGTH], *heap = malloc(sizeof copy);
  memcpy(copy, row, sizeof copy);
  for (int i = 0; i < LENGTH; i++)
    heap[i] = sin(copy[i] * x + i);
  smooth(copy, 3);
  smooth(heap, 2);
  heap = grown(heap, LENGTH);
  double sum = norm(copy) * norm(row) + norm(heap + LENGTH) + value(copy, NULL) * value(heap, slopes);
  sum += norm(slopes) * value(row, NULL);
  if (depth > 0)
    sum += f(copy, x * 0.9, depth - 1) + f(heap + 2, x + 0.1, depth - 1);
  free(heap);
  return sum;
}

static double row[LENGTH];

static double moved(double step, double x) {
  for (int i = 0; i < LENGTH; i++)
    row[i] = 0.2 + 0.15 * i + step * cos(3 * i);
  return f(row, x, 2);
}

int main(void) {
  double x = 0.8, h = 1e-4, shadow[LENGTH] = {0}, along = 0;
  double to_row = (8 * (moved(h, x) - moved(-h, x)) - (moved(2 * h, x) - moved(-2 * h, x))) / (12 * h);
  double to_x = (8 * (moved(0, x + h) - moved(0, x - h)) - (moved(0, x + 2 * h) - moved(0, x - 2 * h))) / (12 * h);

  moved(0, x);
  double dx = __enzyme_autodiff((void *)f, enzyme_runtime_activity, row, shadow, x, 2);
  for (int i = 0; i < LENGTH; i++)
    along += shadow[i] * cos(3 * i);
  same("x", 0, dx, to_x, 1e-9);
  same("row", 0, along, to_row, 1e-9);
  same("constant row", 0, __enzyme_autodiff((void *)f, enzyme_runtime_activity, row, row, x, 2), to_x, 1e-9);
  for (int i = 0; i < LENGTH; i++)
    SAME(row[i], 0.2 + 0.15 * i);

  for (int i = 0; i < LENGTH; i++)
    shadow[i] = cos(3 * i);
  same("forward", 0, __enzyme_fwddiff((void *)f, enzyme_runtime_activity, row, shadow, x, 0.0, 2), to_row, 1e-9);
  same("forward x", 0, __enzyme_fwddiff((void *)f, enzyme_runtime_activity, row, row, x, 1.0, 2), to_x, 1e-9);
  return failures;
}
