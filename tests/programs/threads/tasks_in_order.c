/* Tasks that depend on each other, that are not deferred, or are final, and loops of tasks, on teams.
 * flags: -fopenmp -fopenmp-version=52 */
#include "on_teams.h"

enum { BLOCKS = 6 };

/* A pipeline: each block waits for its neighbours. */
static double neighbours(double *x) {
  double a[BLOCKS], b[BLOCKS], c[BLOCKS];
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < BLOCKS; k++) {
#pragma omp task depend(out : a[k]) shared(a)
    {
      a[k] = 0.5;
      for (int i = 0; i < 6; i++)
        a[k] += x[6 * k + i] * x[6 * k + i];
    }
    if (k) {
#pragma omp task depend(in : a[k], a[k - 1]) depend(out : b[k]) shared(a, b)
      b[k] = sin(a[k]) * a[k - 1];
#pragma omp task depend(in : b[k]) depend(inout : a[k]) shared(a, b, c)
      {
        c[k] = b[k] * b[k] + a[k];
        a[k] = c[k] * 0.3;
      }
    }
  }
  double sum = 0;
  for (int k = 1; k < BLOCKS; k++)
    sum += a[k] * c[k] + b[k];
  return sum;
}

/* All change one number, in the order in which they were made. */
static double in_a_chain(double *x) {
  double state = 1, seen = 0, excluded = 1;
#pragma omp parallel
#pragma omp master
  {
    for (int i = 0; i < N; i++) {
#pragma omp task depend(inout : state) shared(state)
      state = sin(state * x[i]) + 0.4 * x[(i + 1) % N];
#pragma omp task depend(mutexinoutset : excluded) shared(excluded)
      excluded += x[i] * x[i];
      if (i == N / 2) {
#pragma omp task depend(in : state) shared(seen, state) if (0)
        seen = state * state;
      }
    }
#pragma omp taskwait depend(in : state)
    seen *= state;
#pragma omp taskwait
    seen += excluded * excluded * 0.001;
  }
  return seen;
}

static double with_iterators(double *x) {
  double parts[4], sum = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int k = 0; k < 4; k++) {
#pragma omp task depend(out : parts[k]) shared(parts)
      parts[k] = x[k] * x[k + 4] * (k + 1);
    }
#pragma omp task depend(iterator(k = 0 : 4), in : parts[k]) depend(inout : sum) shared(parts, sum)
    for (int k = 0; k < 4; k++)
      sum += parts[k] * parts[(k + 1) % 4];
  }
  return sum * sum;
}

/* Recursion that is cut off. */
static double cut_off_at(const double *x, int first, int end) {
  double left, right;
  if (end - first < 3) {
    double product = 1;
    for (int i = first; i < end; i++)
      product *= 1 + 0.2 * sin(x[i]);
    return product;
  }
  int middle = (first + end) / 2;
#pragma omp task shared(left) if (end - first > 6) final(end - first < 12)
  left = cut_off_at(x, first, middle);
#pragma omp task shared(right) if (end - first > 9) mergeable
  right = cut_off_at(x, middle, end);
#pragma omp taskwait
  return left * right + 0.1 * left;
}
static double cut_off(double *x) {
  double result;
#pragma omp parallel
#pragma omp single
  result = cut_off_at(x, 0, N);
  return result;
}

/* What is not deferred has an effect at once. */
static double at_once(double *x) {
  double s = 1;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < N; i++) {
#pragma omp task shared(s) if (i % 3 == 5)
    s = s * x[i] + 0.5;
    s = sin(s) + x[N - 1 - i];
  }
  return s;
}

static double loops(double *x) {
  double y[N], z[N], scale = x[0], last = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(4) firstprivate(scale) shared(y)
    for (int i = 0; i < N; i++)
      y[i] = scale * x[i] * x[(i + 1) % N];
#pragma omp taskloop num_tasks(5) lastprivate(last) shared(y, z)
    for (int i = N - 1; i >= 0; i -= 2) {
      last = y[i] * x[i];
      z[i] = last * last;
    }
#pragma omp taskloop collapse(2) nogroup shared(y, z)
    for (int i = 0; i < 6; i++)
      for (int k = 0; k < 3; k++)
        z[2 * (3 * i + k) + 1] = sin(y[6 * i + k]);
#pragma omp taskwait
#pragma omp taskloop if (0) shared(y)
    for (int i = 1; i < N; i++)
      y[i] = y[i] + 0.5 * y[i - 1] * y[i];
#pragma omp taskloop shared(y)
    for (int i = N; i < N; i++)
      y[i] = 0;
  }
  double sum = last;
  for (int i = 0; i < N; i++)
    sum += (y[i] + z[i]) * (i % 5);
  return sum;
}

GRADIENT(neighbours)
GRADIENT(in_a_chain)
GRADIENT(with_iterators)
GRADIENT(cut_off)
GRADIENT(at_once)
GRADIENT(loops)

int main(void) {
  ON_TEAMS(neighbours);
  ON_TEAMS(in_a_chain);
  ON_TEAMS(with_iterators);
  ON_TEAMS(cut_off);
  ON_TEAMS(at_once);
  ON_TEAMS(loops);
  return failures;
}
