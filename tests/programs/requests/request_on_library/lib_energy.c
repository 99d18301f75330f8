extern double pair(double a, double b);
extern double strength;

double energy(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      s += pair(x[i], x[j]) * strength;
  return s;
}
