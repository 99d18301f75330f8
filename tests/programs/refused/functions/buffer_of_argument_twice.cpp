/* EZ0309: a gradient takes back the pointers of its argument's shadow, and is differentiated in reverse mode again. */
// expect: it replaces pointers behind an argument
#include <vector>
double __enzyme_autodiff(void *, ...);

static double f(std::vector<double> &v) {
  std::vector<double> w(v.size());
  for (unsigned i = 0; i < v.size(); i++) w[i] = v[i] * v[i] * v[0];
  v.swap(w);
  return v[0] * v[1];
}
static double slope(std::vector<double> &v, std::vector<double> &d) {
  __enzyme_autodiff((void *)f, &v, &d);
  return d[0] * d[1];
}

int main() {
  std::vector<double> v{1, 2}, d(2), vv(2), dd(2);
  __enzyme_autodiff((void *)slope, &v, &vv, &d, &dd);
}
