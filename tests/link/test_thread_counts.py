"""Numbers of threads that differentiated code does not get by asking: the link warns where it can tell."""

from __future__ import annotations

import pytest

from .conftest import Project

LIBRARY = """
#include <omp.h>
#include <stdlib.h>
struct plan { double *slots; int count; };
int threads;
void init(void) { threads = omp_get_max_threads(); }
struct plan *make(void) {
  struct plan *p = malloc(sizeof *p);
  p->count = omp_get_max_threads();
  return p;
}
"""
USER = """
#include <omp.h>
extern int enzyme_const;
double __enzyme_autodiff(void *, ...);
struct plan { double *slots; int count; };
extern int threads;
void init(void);
struct plan *make(void);
static void fill(double *slots, double *x) {
#pragma omp parallel
  {
    int t = omp_get_thread_num();
#pragma omp for
    for (int i = 0; i < 8; i++) slots[t] += x[i] * x[i];
  }
}
static double sum(const double *slots, int count) {
  double all = 0;
  for (int t = 0; t < count; t++) all += slots[t];
  return all;
}
double by_global(double *x, struct plan *p, int given) {
  double slots[64] = {0};
  fill(slots, x);
  return sum(slots, threads);
}
double by_member(double *x, struct plan *p, int given) {
  double slots[64] = {0};
  fill(slots, x);
  return sum(slots, p->count);
}
double by_argument(double *x, struct plan *p, int given) {
  double slots[64] = {0};
  fill(slots, x);
  return sum(slots, given);
}
double by_clause(double *x, struct plan *p, int given) {
  double slots[4] = {0};
#pragma omp parallel num_threads(4)
  {
    int t = omp_get_thread_num();
#pragma omp for
    for (int i = 0; i < 8; i++) slots[t] += x[i] * x[i];
  }
  return sum(slots, 4);
}
static int own(void) { return omp_get_thread_num(); }
double by_call(double *x, struct plan *p, int given) {
  double slots[4] = {0};
#pragma omp parallel num_threads(4)
  {
    int t = own();
#pragma omp for
    for (int i = 0; i < 8; i++) slots[t] += x[i] * x[i];
  }
  return sum(slots, 4);
}
double in_turns(double *x, struct plan *p, int given) {
  double slots[64] = {0};
#pragma omp parallel num_threads(threads)
  for (int i = own(); i < 8; i += threads) slots[own()] += x[i] * x[i];
  return sum(slots, threads);
}
double by_asking(double *x, struct plan *p, int given) {
  double slots[64] = {0};
  int count = omp_get_max_threads();
#pragma omp parallel num_threads(count)
  slots[omp_get_thread_num()] = omp_get_thread_num() ? 0 : x[0] * x[0];
  return sum(slots, count);
}
int main(void) {
  double x[8] = {1}, dx[8] = {0};
  init();
  struct plan *p = make();
  int count = WHICH;
  __enzyme_autodiff((void *)NAME, x, dx, enzyme_const, p, count);
  return dx[0] != 2;
}
"""
TOLD = {
    "by_global": "differentiated code reads a number of threads from threads",
    "by_member": "differentiated code reads a number of threads from struct.plan",
    "by_argument": "a number of threads is passed to a request",
    "by_clause": "a region of differentiated code is for a given number of threads",
    "by_call": "a region of differentiated code is for a given number of threads",
    "in_turns": "",
    "by_asking": "",
}


@pytest.mark.parametrize("function", TOLD)
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_numbers_of_threads_from_elsewhere(project: Project, function: str, level: str) -> None:
    count = "omp_get_num_procs()" if function == "by_argument" else "0"
    text = USER.replace("NAME", function).replace("WHICH", count)
    objects = [project.compile(n, t, level, "-fopenmp") for n, t in (("user.c", text), ("library.c", LIBRARY))]
    done = project.try_link(*objects, "-fopenmp", "-Wl,--enzyme-serial-regions")
    assert done.status == 0 and ("[EZ0312]" in done.stderr) == bool(TOLD[function]), done.stderr
    assert TOLD[function] in done.stderr


def test_no_number_of_threads_matters_on_teams(project: Project) -> None:
    text = USER.replace("NAME", "by_clause").replace("WHICH", "0")
    objects = [project.compile(n, t, "-O2", "-fopenmp") for n, t in (("user.c", text), ("library.c", LIBRARY))]
    done = project.try_link(*objects, "-fopenmp")
    assert done.status == 0 and "[EZ0312]" not in done.stderr, done.stderr
