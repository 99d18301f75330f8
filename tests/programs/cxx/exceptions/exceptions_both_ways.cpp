/* f catches some exceptions and lets others through, its own and the library's: these reach the gradient's caller. */
#include "../../check.h"
#include <stdexcept>
#include <string>
#include <vector>

struct carried : std::runtime_error {
  double value;
  std::string note;
  carried(double v) : std::runtime_error("carried"), value(v), note("short") {}
};

static int inside;

struct counted {
  counted() { inside++; }
  ~counted() { inside--; }
};

NOINLINE static double part(const std::vector<double> &v, unsigned k) {
  counted c;
  if (k == 2)
    throw carried(v[0] * 2);
  return v.at(k) * v.at(0);
}

static double f(double *x) {
  std::vector<double> v(x, x + 3);
  double s = 1;
  for (unsigned k = 0; k < v.size(); k++)
    try {
      counted c;
      s += part(v, x[1] > 5 ? 10 : k);
    } catch (const carried &c) {
      if (x[0] > 5)
        throw;
      s *= c.value;
    }
  return s;
}

template <class G> static int leaving(G gradient, double a, double b) {
  double x[3] = {a, b, 1}, dx[3] = {1, 0, 0};
  try {
    gradient(x, dx);
    return 0;
  } catch (const carried &c) {
    return c.value == 2 * a && c.note == "short" && std::string(c.what()) == "carried" ? 1 : -1;
  } catch (const std::out_of_range &e) {
    return e.what()[0] == 'v' ? 2 : -2;
  }
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  for (int i = 0; i < 2; i++) {
    auto reverse = [](double *x, double *dx) { __enzyme_autodiff((void *)f, x, dx); };
    auto forward = [](double *x, double *dx) { __enzyme_fwddiff((void *)f, x, dx); };
    SAME(leaving(reverse, 1, 2), 0);
    SAME(leaving(reverse, 6, 2), 1);
    SAME(leaving(reverse, 1, 7), 2);
    SAME(leaving(forward, 1, 2), 0);
    SAME(leaving(forward, 6, 2), 1);
    SAME(leaving(forward, 1, 7), 2);
  }
  SAME(inside, 0);
  return failures;
}
