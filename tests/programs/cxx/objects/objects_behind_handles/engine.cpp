#include "engine.h"
#include <math.h>

struct Engine {
  virtual ~Engine() = default;
  virtual double run(double x) = 0;
};

struct Cubic final : Engine {
  double c = 1.5;
  double run(double x) override { return c * x * x * x; }
};

struct Wave final : Engine {
  double run(double x) override { return sin(2 * x); }
};

extern "C" {
engine_handle *engine_new(int kind) {
  Engine *made = kind ? static_cast<Engine *>(new Cubic) : new Wave;
  return reinterpret_cast<engine_handle *>(made);
}
}

static double run_of(engine_handle *handle, double x) { return ((Engine *)handle)->run(x); }
double engine_run(engine_handle *handle, double x) { return run_of(handle, x); }
void engine_free(engine_handle *handle) { delete (Engine *)handle; }
