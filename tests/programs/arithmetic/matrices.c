/* Matrices of clang's extension: products, transposes, loads and stores by columns.
 * flags: -fenable-matrix
 */
#include "../check.h"

typedef double matrix __attribute__((matrix_type(3, 3)));
typedef double tall __attribute__((matrix_type(3, 2)));
typedef float small __attribute__((matrix_type(2, 2)));

double products(double *x) {
  matrix a = __builtin_matrix_column_major_load(x, 3, 3, 3), b = __builtin_matrix_transpose(a);
  matrix c = a * b + a * 2.0 - b;
  tall d = __builtin_matrix_column_major_load(x + 1, 3, 2, 4), e = c * d;
  double s = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 2; j++)
      s += sin(e[i][j]) * (i + 2 * j + 1);
  __builtin_matrix_column_major_store(c, x, 3);
  return s + x[1] * x[5];
}

double powers(double *x) {
  matrix a = __builtin_matrix_column_major_load(x, 3, 3, 3), p = a;
  for (int k = 0; k < 4; k++)
    p = p * a * 0.5;
  return p[0][2] * p[1][1];
}

float floats(float *x) {
  small a, b;
  for (int i = 0; i < 4; i++)
    a[i / 2][i % 2] = x[i], b[i % 2][i / 2] = x[i] * x[3 - i];
  a = a * b * a;
  return a[0][0] * a[1][1] - a[0][1] * a[1][0];
}
double floats_twin(double *x) {
  double a = x[0] * x[3] - x[1] * x[2], b = x[0] * x[3] * x[3] * x[0] - x[1] * x[2] * x[2] * x[1];
  return a * b * a;
}

int main(void) {
  CHECK(products, 0.2, 0.3, -0.4, 0.5, 0.6, 0.7, -0.8, 0.9, 1.0);
  CHECK(powers, 0.2, 0.3, -0.4, 0.5, 0.6, 0.7, -0.8, 0.9, 1.0);
  CHECK_FLOAT(floats, floats_twin, 0.2f, 0.3f, -0.4f, 0.5f);
  return failures;
}
