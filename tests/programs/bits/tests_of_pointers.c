/* Rows of a packed message are added to a matrix, or kept for another process. Whether a row is scaled, and whether there is
 * a struct of kept rows, are tests of pointers, and no tests of the numbers behind these. The struct has an exponent, which
 * becomes a number. */
#include "../check.h"
#include <stdint.h>

#pragma pack(push, 1)
struct cell {
  int row;
  double value;
};
#pragma pack(pop)

struct kept {
  int64_t exponent, used;
  double values[4];
};

struct matrix {
  int end;
  struct kept *kept;
  double rows[2];
};

static unsigned errors;

NOINLINE static void add(struct matrix *matrix, int count, const struct cell *cells, const double *by) {
  struct kept *kept = matrix->kept;
  for (int i = 0; i < count; i++) {
    double scale = by ? *by : 1;
    if (scale == 0)
      continue;
    if (cells[i].row < 0) {
      errors |= 4;
      continue;
    }
    if (cells[i].row < matrix->end) {
      matrix->rows[cells[i].row] += scale * cells[i].value;
      continue;
    }
    if (!kept) {
      kept = matrix->kept = calloc(1, sizeof *kept);
      kept->exponent = matrix->end + 1;
    }
    kept->values[kept->used++] = scale * cells[i].value;
  }
}

static double power_of_two(int64_t exponent) {
  uint64_t bits = (uint64_t)(1023 + exponent) << 52;
  double power;
  memcpy(&power, &bits, sizeof power);
  return power;
}

static double f(double *x) {
  struct matrix matrix = {2, NULL, {1, 2}};
  struct cell cells[] = {{0, x[0]}, {1, x[1]}, {2, x[2]}};
  add(&matrix, 2, cells, NULL);
  add(&matrix, 3, cells, x);
  double result = matrix.rows[0] * matrix.rows[1] * matrix.kept->values[0] * power_of_two(matrix.kept->exponent);
  free(matrix.kept);
  return result;
}

int main(void) {
  CHECK(f, 0.7, 1.3, 0.4);
  return failures || errors;
}
