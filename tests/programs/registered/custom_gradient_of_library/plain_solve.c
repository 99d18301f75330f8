void solve(const double *a, double *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] /= a[i];
}
