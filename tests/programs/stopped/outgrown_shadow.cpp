/* expect: error: the shadow of an argument is too small [EZ0314]
 *
 * A handle keeps its work space, which grows in the first derivative. The second one has the shadow as it was passed. */
#include <cstdlib>
#include <vector>

double __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_out, enzyme_const;

struct handle {
  std::vector<double> work;
  std::vector<int> order; /* without numbers: its shadow need not grow */
};

static double f(handle *h, double x, int n) {
  h->work.resize(n);
  h->order.resize(n);
  double sum = 0;
  for (int i = 0; i < n; i++) {
    h->order[i] = n - 1 - i;
    h->work[i] = x * i;
  }
  for (int i : h->order)
    sum += h->work[i] * h->work[i];
  return sum;
}

static bool is_right(handle *h, handle *d, int n, double expected) {
  return __enzyme_autodiff((void *)f, enzyme_dup, h, d, enzyme_out, 2.0, enzyme_const, n) == expected;
}

int main() {
  handle h{std::vector<double>(4), std::vector<int>(1)}, d{std::vector<double>(4), std::vector<int>(1)};
  if (!is_right(&h, &d, 4, 56) || !is_right(&h, &d, 9, 816)) /* fits; grows */
    return 0;
  d.work.assign(h.work.capacity(), 0);
  if (!is_right(&h, &d, 9, 816) || !is_right(&h, &d, 40, 82160)) /* fits again; grows */
    return 0;
  is_right(&h, &d, 40, 82160);
}
