/* expect: the shadow of a container is too small: it has less memory than the container
 *
 * The argument has memory for more elements, its shadow has none. LLVM makes a fill of the elements that resize adds. */
#include <vector>

void __enzyme_autodiff(void *, ...);
int enzyme_dup;

static double f(std::vector<double> *v, double x) {
  v->resize(v->size() + 4);
  double sum = 0;
  for (double &y : *v) {
    y += x;
    sum += y * y;
  }
  return sum;
}

static bool is_right(std::vector<double> *v, std::vector<double> *d) {
  d->assign(v->size(), 0);
  __enzyme_autodiff((void *)f, enzyme_dup, v, d, 2.0);
  return (*d)[0] == 2 * (*v)[0];
}

int main() {
  std::vector<double> v{1.5, 2.5}, d;
  v.reserve(100);
  d.reserve(6);
  if (!is_right(&v, &d)) /* the shadow has memory for six elements */
    return 0;
  is_right(&v, &d);
}
