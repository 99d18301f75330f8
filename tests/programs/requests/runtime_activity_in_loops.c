/* enzyme_runtime_activity: loops read and write rows through computed addresses. Some rows are their own shadows: they
   are constant. The pointer to a row is an argument, is loaded in an outer loop, is loaded anew in each iteration, or
   moves along the row. */
#include "../check.h"

extern int enzyme_runtime_activity;
extern double __enzyme_fwddiff(void *, ...);
enum { ROWS = 3, LENGTH = 6 };

struct rows {
  double *row[ROWS];
  int is_written[ROWS];
};

NOINLINE static void scale(double *row, int is_written, double x) {
  for (int i = 0; i < LENGTH; i += 2)
    if (is_written)
      row[i + 1] = sin(row[i] * x) + row[i + 1] * row[i + 1];
}

static double f(struct rows *rows, double *given, double x) {
  double sum = 0;
  for (int k = 0; k < ROWS; k++) {
    scale(rows->row[k], rows->is_written[k], x);
    for (int i = 0; i < LENGTH; i++)
      sum += rows->row[k][i] * given[LENGTH - 1 - i] * x;
    for (double *p = rows->row[k], *end = p + LENGTH; p != end; p++) {
      if (rows->is_written[k])
        *p *= *p * x;
      sum += *p;
    }
  }
  for (int i = 0; i < LENGTH; i++) {
    double *row = rows->row[(5 * i + 1) % ROWS];
    if (rows->is_written[(5 * i + 1) % ROWS])
      row[i] = row[i] * given[i] + x;
    sum += row[i] * row[(i + 1) % LENGTH];
  }
  return sum;
}

static double memory[ROWS][LENGTH], given[LENGTH];

static struct rows fill(double step) {
  struct rows rows = {.is_written = {1, 0, 1}};
  for (int k = 0; k < ROWS; k++) {
    rows.row[k] = memory[k];
    for (int i = 0; i < LENGTH; i++)
      memory[k][i] = 0.3 + 0.1 * k - 0.07 * i + (rows.is_written[k] ? step * cos(k + 2 * i) : 0);
  }
  for (int i = 0; i < LENGTH; i++)
    given[i] = 0.5 + 0.1 * i;
  return rows;
}

static double moved(double step, double x) {
  struct rows rows = fill(step);
  return f(&rows, given, x);
}

int main(void) {
  double x = 0.8, h = 1e-4, shadow[ROWS][LENGTH] = {{0}};
  double to_rows = (8 * (moved(h, x) - moved(-h, x)) - (moved(2 * h, x) - moved(-2 * h, x))) / (12 * h);
  double to_x = (8 * (moved(0, x + h) - moved(0, x - h)) - (moved(0, x + 2 * h) - moved(0, x - 2 * h))) / (12 * h);

  struct rows rows = fill(0), shadows = rows;
  shadows.row[0] = shadow[0], shadows.row[2] = shadow[2]; /* row 1 is its own shadow */
  double dx = __enzyme_autodiff((void *)f, enzyme_runtime_activity, &rows, &shadows, given, given, x), along = 0;
  for (int k = 0; k < ROWS; k += 2)
    for (int i = 0; i < LENGTH; i++)
      along += shadow[k][i] * cos(k + 2 * i);
  same("x", 0, dx, to_x, 1e-9);
  same("rows", 0, along, to_rows, 1e-9);
  for (int i = 0; i < LENGTH; i++) {
    SAME(memory[1][i], 0.4 - 0.07 * i);
    SAME(given[i], 0.5 + 0.1 * i);
  }

  rows = fill(0);
  for (int k = 0; k < ROWS; k += 2)
    for (int i = 0; i < LENGTH; i++)
      shadow[k][i] = cos(k + 2 * i);
  double forward = __enzyme_fwddiff((void *)f, enzyme_runtime_activity, &rows, &shadows, given, given, x, 0.0);
  same("forward", 0, forward, to_rows, 1e-9);
  return failures;
}
