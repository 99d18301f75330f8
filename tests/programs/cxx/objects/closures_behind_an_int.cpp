/* Closures that hold a pointer, an int and numbers: LLVM cuts their copies behind the int, so the rest begins with 4 bytes
 * of padding. They are kept in other closures. */
#include "../../check.h"
#include <array>
#include <functional>

struct record {
  double p, q;
  int n;
  double r[2], tail[4];
};

NOINLINE static double by_value(record s) {
  s.tail[1] = 2 * s.p;
  return s.tail[1] * s.r[0];
}

static double chain(double *x) {
  double a = x[0], sum = 0.3;
  record s = {x[0], x[1], 2, {x[2], x[3]}, {0}};
  for (int i = 0; i < 4; i++) {
    std::function<double(double)> call = [=](double) mutable { return x[i & 3] * s.q * (a * s.r[i & 1]); };
    sum += sin(x[i] + sum);
    if (sum < 10)
      call = [=, before = call, kept = std::array<double, 4>{x[0], x[1], sum, x[3]}](double t) {
        return before(t * kept[1]) + kept[2];
      };
    std::function<double(double, int)> again = [&](double t, int n) {
      return n <= 0 ? call(t) : sin(again(a < x[2] ? a : x[2], n - 1)) * x[i];
    };
    sum = sin(again(a * s.r[i & 1], 4) - call(x[2] * x[3]));
  }
  s.r[0] = sum;
  return a + sum + by_value(s);
}

int main() {
  CHECK(chain, 0.3, 0.7, 1.1, 0.4);
  return failures;
}
