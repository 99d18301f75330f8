/* A place in UTM coordinates by its longitude and latitude: proj_trans through an operation with function pointers. */
#include "check.h"
#include <proj.h>

static PJ *before;

static PJ *make(void) { return proj_create(PJ_DEFAULT_CTX, "+proj=utm +zone=32 +ellps=GRS80"); }

static double projected(PJ *operation, const double *x) {
  PJ_COORD place = proj_trans(operation, PJ_FWD, proj_coord(x[0], x[1], 0, 0));
  return 1e-6 * (place.xy.x + 2 * place.xy.y);
}

static double outside(double *x) { return projected(before, x); }

static double inside(double *x) {
  PJ *operation = make();
  double value = projected(operation, x);
  proj_destroy(operation);
  return value;
}

int main(void) {
  before = make();
  CHECK_HANDLE(inside, outside, 0.17, 0.93);
  return failures;
}
