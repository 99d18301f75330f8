/* A region that divides its work by the numbers of its threads, which wait for each other, and that runs in one thread:
 * it calls a function which calls itself.
 * flags: -fopenmp
 * expect: a parallel region for several threads divides its work by their numbers
 * expect: ask for omp_get_num_threads in the region */
#include <omp.h>

enum { ITEMS = 24, TEAM = 3 };
extern double __enzyme_autodiff(void *, double);

static double power(double x, int n) { return n ? x * power(x, n - 1) + power(x * 0.5, n - 1) : x; }

static double sum_of_products(double x) {
  double parts[TEAM], products[TEAM], sum = 0;
#pragma omp parallel num_threads(TEAM)
  {
    int own = omp_get_thread_num();
    parts[own] = 0;
    for (int i = own; i < ITEMS; i += TEAM)
      parts[own] += power(x, 2) * i;
#pragma omp barrier
    products[own] = parts[own] * parts[(own + 1) % TEAM];
  }
  for (int k = 0; k < TEAM; k++)
    sum += products[k];
  return sum;
}

int main(void) { return __enzyme_autodiff((void *)sum_of_products, 3.0) != 0; }
