/* __enzyme_virtualreverse of an object's table of virtual functions, put into the object's shadow, as Enzyme wants it. */
#include "../check.h"

template <typename T> T __enzyme_virtualreverse(T);
template <typename... T> double __enzyme_autodiff(void *, T...);

struct Function {
  double factor = 2;
  virtual double operator()(double x) const = 0;
  virtual ~Function() = default;
};
struct Square : Function {
  double operator()(double x) const override { return x * x * factor; }
};
struct Cube : Function {
  double operator()(double x) const override { return x * x * x * factor * factor; }
};

static double apply(double x, const Function *f) { return x * (*f)(x); }

static void try_with(Function *f, Function *shadow, double by_x, double by_factor) {
  shadow->factor = 0;
  *(void **)shadow = __enzyme_virtualreverse(*(void **)f);
  double dx = __enzyme_autodiff((void *)apply, 3.0, enzyme_dup, f, shadow);
  SAME(dx, by_x);
  SAME(shadow->factor, by_factor);
  delete f;
  delete shadow;
}

NOINLINE static Function *make(int cubes) {
  if (cubes)
    return new Cube;
  return new Square;
}

int main(int count, char **) {
  try_with(new Square, new Square, 54, 27);
  try_with(make(count - 1), make(count - 1), 54, 27);
  try_with(make(count), make(count), 432, 324);
  return failures;
}
