#include "travel.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct other { function *apply; };

static double f0(double x) { return x * x; }
static double f1(double x) { return x * x * x; }
static double f2(double x) { return 2 * x * x; }
static double f3(double x) { return 3 * x * x; }
static double f4(double x) { return 4 * x * x; }
static double f5(double x) { return 5 * x * x; }
static double f6(double x) { return 6 * x * x; }
static double f7(double x) { return 7 * x * x; }
static double f8(double x) { return 8 * x * x; }
static double f9(double x) { return 9 * x * x; }
static double f10(double x) { return 10 * x * x; }
static double f11(double x) { return 11 * x * x; }
static double f12(double x) { return 12 * x * x; }
static double f13(double x) { return 13 * x * x; }
static double f14(double x) { return 14 * x * x; }
static double unused(double x) { return -x; }

static function *const constants[] = {f1, f2};
static const struct plan fixed = {3, f3, {f3}, {f3, f3, f3}, {f3}};
static struct other elsewhere = {unused};
static function *global;
static function **slot = &global;

static void put(function **place, function *f) { *place = f; }
static function *chosen(int k) { return k ? f5 : unused; }
static function *listed(int n, ...) {
  va_list list;
  va_start(list, n);
  function *f = va_arg(list, function *);
  va_end(list);
  return f;
}
static void keep(struct plan *plan, struct other by_value) { plan->first = by_value.apply; }
static void visit(void (*visitor)(void *, void *), void *a, void *b) { visitor(a, b); }
static void visited(void *a, void *b) { ((struct plan *)a)->first = (function *)b; }

struct plan *make(int route) {
  struct plan *plan = calloc(1, sizeof *plan);
  switch (route) {
  case 0: plan->first = f0; break;
  case 1: memcpy(plan->table, constants, sizeof constants); break;
  case 2: plan->table[route - 2] = constants[1]; break;
  case 3: *plan = fixed; break;
  case 4: put(&plan->nested.inner, f4); break;
  case 5: plan->first = chosen(1); break;
  case 6: plan->first = listed(1, f6); break;
  case 7: keep(plan, (struct other){f7}); break;
  case 8: visit(visited, plan, (void *)f8); break;
  case 9: plan->u.number = (long)(intptr_t)f9; break;
  case 10: {
    function *local[] = {unused, f10};
    memcpy(&plan->first, &local[1], sizeof *local);
    break;
  }
  case 11: *slot = f11; plan->first = global; break;
  case 12: elsewhere = (struct other){f12}; plan->nested.inner = elsewhere.apply; break;
  case 13: {
    function **grown = malloc(2 * sizeof *grown);
    grown[1] = f13;
    plan->table[2] = grown[1];
    free(grown);
    break;
  }
  case 14: ((struct base *)plan)->first = f14; break;
  }
  return plan;
}

double evaluate(const struct plan *plan, int route, double x) {
  switch (route) {
  case 1: case 2: return plan->table[0](x);
  case 4: case 12: return plan->nested.inner(x);
  case 9: return plan->u.either(x);
  case 13: return plan->table[2](x);
  default: return plan->first(x);
  }
}

double apart(double x) { return elsewhere.apply(x); }
