// __enzyme_call_inactive: single calls without a derivative. Other calls of the same functions have one.
#include "../check.h"

template <typename Result, typename... Arguments> Result __enzyme_call_inactive(Arguments...);
extern "C" double __enzyme_call_inactive_c(void *, ...);

static int calls;
static double scale(double x) {
  calls++;
  return x * x;
}
static float halve(float x, const double *w) { return x / 2 + static_cast<float>(w[0]); }
static double (*chosen)(double) = scale;

struct counted {
  ~counted() { calls++; }
};

static double f(double *x) {
  counted at_end;
  double once = __enzyme_call_inactive<double>(scale, x[0]);
  double through = __enzyme_call_inactive_c(reinterpret_cast<void *>(chosen), x[1]);
  float other = __enzyme_call_inactive<float>(halve, 2.0f, x);
  return once * x[0] + scale(x[1]) * through + other * x[1];
}

int main(int argc, char **) {
  if (argc > 5)
    chosen = [](double x) { return x; };
  double x[2] = {3, 5}, dx[2] = {0, 0};
  __enzyme_autodiff((void *)f, x, dx);
  same("calls", 0, calls, 4, 0);
  same("reverse", 0, dx[0], 9, 1e-14);
  same("reverse", 1, dx[1], 2 * 5 * 25 + (1 + 3), 1e-14);
  double v[2] = {1, 10};
  same("forward", 0, __enzyme_fwddiff((void *)f, x, v), 9 + 10 * (250 + 4), 1e-14);
  return failures;
}
