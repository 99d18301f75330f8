// Gradient descent whose step grows while it goes well (Siskind and Pearlmutter 2008), for the problems with nested
// derivatives. A derivative differentiates through it, with the gradients inside.
#pragma once
#include "adbench.hpp"

// Which modes: the outer derivative's, then the inner one's.
enum mode { forward, reverse, hand };

using function = double (*)(const double *at, const double *context);
using derivative_of = void (*)(const double *at, const double *context, double *out);

template <int n, function f, derivative_of gradient> void descend(double *x, const double *context) {
  double value = f(x, context), g[n], eta = 1e-5;
  gradient(x, context, g);
  for (int good = 0;;) {
    double norm = 0, moved = 0, next[n];
    for (int i = 0; i < n; i++)
      norm += g[i] * g[i];
    if (norm <= 1e-10)
      return;
    if (good == 10)
      eta *= 2, good = 0;
    for (int i = 0; i < n; i++) {
      next[i] = x[i] - eta * g[i];
      moved += (next[i] - x[i]) * (next[i] - x[i]);
    }
    if (moved <= 1e-10)
      return;
    double reached = f(next, context);
    if (reached < value) {
      for (int i = 0; i < n; i++)
        x[i] = next[i];
      value = reached;
      gradient(x, context, g);
      good++;
    } else
      eta /= 2, good = 0;
  }
}

// The gradient of f by x: one call in reverse mode, a call for each direction in forward mode.
template <int n, function f, mode how> void gradient_of(const double *x, const double *context, double *out) {
  if constexpr (how == reverse) {
    for (int i = 0; i < n; i++)
      out[i] = 0;
    double unused[4] = {0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, out, enzyme_dup, context, unused);
  } else
    for (int i = 0; i < n; i++) {
      double direction[n] = {0}, still[4] = {0};
      direction[i] = 1;
      out[i] = __enzyme_fwddiff((void *)f, enzyme_dup, x, direction, enzyme_dup, context, still);
    }
}
