/* What a wrong signature or a wrong derivative does without a word. */
void fills(const double *x, int n, double *y) {
  for (int i = 0; i < 2 * n; i++)
    y[i] = x[i / 2];
}

double clears(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += x[i] * x[i];
    x[i] = 0;
  }
  return s;
}

double inverse(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] ? x[i] * x[i] : 1 / x[i];
  return s;
}

static double square(double x) { return x * x; }
static double augmented(double x) { return x * x; }
static double wrong(double x, double adjoint) { return 3 * x * adjoint; }
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)augmented, (void *)wrong};
double sum_of_squares(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += square(x[i]);
  return s;
}
