/* Arrays whose extents the function does not take, inputs that argnums chooses, a call that does not end. */
double pick(const double *x, const int *index, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[index[i]] * x[index[i]];
  return s;
}

double scaled(const double *x, int n, double a) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * a;
  return s;
}

double forever(double x) {
  volatile double y = x;
  while (y == x)
    ;
  return y;
}
