// Virtual calls of objects that handles of an opaque type stand for.
#include "../../../check.h"
#include "engine.h"

static engine_handle *outside[2];
static double made_outside(double *x) { return engine_run(outside[0], x[0]) * engine_run(outside[1], x[1]); }

int main(int argc, char **) {
  outside[0] = engine_new(argc - 1);
  outside[1] = engine_new(argc);
  CHECK(made_outside, 0.4, 1.1);
  for (engine_handle *engine : outside)
    engine_free(engine);
  return failures;
}
