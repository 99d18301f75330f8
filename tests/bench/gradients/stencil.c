/* A reaction and diffusion step on a grid, with two buffers that are exchanged. */
#include "bench.h"

enum { N = 128, STEPS = 100 };

__attribute__((noinline)) static double react(double *u, double *v, double k, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        double c = u[i * n + j];
        double around = u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1];
        v[i * n + j] = c + k * (around - 4 * c) + 0.01 * c * (1 - c * c);
      }
    double *other = u;
    u = v;
    v = other;
  }
  double sum = 0;
  for (int i = 0; i < n * n; i++)
    sum += u[i] * u[i];
  return sum;
}

static void react_by_hand(double *u, double *du, double *v, double *dv, double k, int n, int steps) {
  size_t grid = (size_t)n * n;
  double *log = malloc(steps * grid * sizeof *log);
  for (int t = 0; t < steps; t++) {
    double *kept = log + t * grid;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        double c = kept[i * n + j] = u[i * n + j];
        double around = u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1];
        v[i * n + j] = c + k * (around - 4 * c) + 0.01 * c * (1 - c * c);
      }
    double *other = u, *dother = du;
    u = v, du = dv;
    v = other, dv = dother;
  }
  for (int i = 0; i < n * n; i++)
    du[i] += 2 * u[i];
  for (int t = steps; t-- > 0;) {
    const double *kept = log + t * grid;
    double *dother = du;
    du = dv;
    dv = dother;
    for (int i = n - 2; i > 0; i--)
      for (int j = n - 2; j > 0; j--) {
        double d = dv[i * n + j], c = kept[i * n + j];
        dv[i * n + j] = 0;
        du[i * n + j] += d * (1 - 4 * k + 0.01 * (1 - 3 * c * c));
        du[(i - 1) * n + j] += k * d, du[(i + 1) * n + j] += k * d;
        du[i * n + j - 1] += k * d, du[i * n + j + 1] += k * d;
      }
  }
  free(log);
}

static double *u0, *u, *v, *du, *dv, *du_hand, *dv_hand;
enum { BYTES = N * N * sizeof(double) };

static void start(void) { memcpy(u, u0, BYTES), memcpy(v, u0, BYTES); }
static void primal(void) {
  start();
  react(u, v, 0.1, N, STEPS);
}
static void gradient(void) {
  start();
  memset(du, 0, BYTES), memset(dv, 0, BYTES);
  __enzyme_autodiff((void *)react, enzyme_dup, u, du, enzyme_dup, v, dv, enzyme_const, 0.1, N, STEPS);
}
static void hand(void) {
  start();
  memset(du_hand, 0, BYTES), memset(dv_hand, 0, BYTES);
  react_by_hand(u, du_hand, v, dv_hand, 0.1, N, STEPS);
}

int main(void) {
  u0 = numbers(N * N, 0, 1), u = numbers(N * N, 0, 0), v = numbers(N * N, 0, 0), du = numbers(N * N, 0, 0);
  dv = numbers(N * N, 0, 0), du_hand = numbers(N * N, 0, 0), dv_hand = numbers(N * N, 0, 0);
  return report(primal, gradient, hand, du, du_hand, N * N, STEPS * (size_t)BYTES);
}
