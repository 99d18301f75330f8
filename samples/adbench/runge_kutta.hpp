// The classical method of Runge and Kutta of order four, and its adjoint, written by hand.
// A system has `static void slope(int n, const double *x, const double *y, double *out)` for y' = f(x, y), and
// `static void adjoint(int n, const double *x, double *dx, const double *y, double *dy, const double *dout)`.
#pragma once
#include "adbench.hpp"
#include <algorithm>

template <class System> void runge_kutta(int n, int steps, double h, const double *x, double *y) {
  numbers k1(n), k2(n), k3(n), k4(n), at(n);
  for (int s = 0; s < steps; s++) {
    System::slope(n, x, y, k1.data());
    for (int i = 0; i < n; i++)
      at[i] = y[i] + h / 2 * k1[i];
    System::slope(n, x, at.data(), k2.data());
    for (int i = 0; i < n; i++)
      at[i] = y[i] + h / 2 * k2[i];
    System::slope(n, x, at.data(), k3.data());
    for (int i = 0; i < n; i++)
      at[i] = y[i] + h * k3[i];
    System::slope(n, x, at.data(), k4.data());
    for (int i = 0; i < n; i++)
      y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
}

// Runs the method from y, and takes the adjoint of the last state (dy) back to the first state and to x. The states
// of all steps are kept, the stages are computed again.
template <class System>
void runge_kutta_adjoint(int n, int steps, double h, const double *x, double *dx, double *y, double *dy) {
  numbers states((std::size_t)steps * n), k(n), at2(n), at3(n), at4(n), d_k(n), d_at(n), d_state(n);
  for (int s = 0; s < steps; s++) {
    std::copy(y, y + n, &states[(std::size_t)s * n]);
    runge_kutta<System>(n, 1, h, x, y);
  }
  for (int s = steps - 1; s >= 0; s--) {
    const double *state = &states[(std::size_t)s * n], *places[4] = {state, at2.data(), at3.data(), at4.data()};
    const double ahead[4] = {0, h / 2, h / 2, h}, share[4] = {h / 6, h / 3, h / 3, h / 6};
    double *moved[4] = {nullptr, at2.data(), at3.data(), at4.data()};
    for (int stage = 1; stage < 4; stage++) {
      System::slope(n, x, places[stage - 1], k.data());
      for (int i = 0; i < n; i++)
        moved[stage][i] = state[i] + ahead[stage] * k[i];
    }
    std::copy(dy, dy + n, d_state.begin());
    for (int stage = 3; stage >= 0; stage--) {
      double next = stage < 3 ? ahead[stage + 1] : 0;
      for (int i = 0; i < n; i++)
        d_k[i] = share[stage] * dy[i] + next * d_at[i];
      d_at.assign(n, 0);
      System::adjoint(n, x, dx, places[stage], d_at.data(), d_k.data());
      for (int i = 0; i < n; i++)
        d_state[i] += d_at[i];
    }
    std::copy(d_state.begin(), d_state.end(), dy);
    d_at.assign(n, 0);
  }
}
