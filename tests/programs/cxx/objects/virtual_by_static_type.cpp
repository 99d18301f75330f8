/* Virtual calls through all kinds of static types: the functions of derived classes are found, through second and
 * virtual bases, smart pointers, casts, and from constructors. Unrelated classes have virtual functions of that type. */
#include "../../check.h"
#include <memory>
#include <vector>

struct shape {
  virtual double value(const double *x) const = 0;
  virtual ~shape() {}
  double twice(const double *x) const { return 2 * value(x); }
};
struct named {
  virtual double weight(const double *x) const { return x[1]; }
  virtual ~named() {}
};
struct unrelated {
  virtual double value(const double *x) const { return *(const volatile double *)x; }
  virtual ~unrelated() {}
};

struct square : shape, named {
  double value(const double *x) const override { return x[0] * x[0]; }
  double weight(const double *x) const override { return sin(x[1]); }
};
template <int N> struct power : square {
  double value(const double *x) const override { return pow(x[0], N); }
};
namespace {
struct hidden : virtual named {
  double weight(const double *x) const override { return x[0] * x[1]; }
};
struct joined : hidden, power<3> {
  double weight(const double *x) const override { return exp(x[1]); }
};
}

struct counted : named {
  const double *at;
  double made;
  counted(const double *x) : at(x), made(measure()) {}
  double measure() const { return weight(at); }
};

static std::vector<std::shared_ptr<shape>> shapes;
static std::unique_ptr<hidden> owner;
static std::vector<unrelated *> others;

NOINLINE static shape *chosen(int k) { return shapes[k].get(); }
NOINLINE static double of_named(const named &n, const double *x) { return n.weight(x); }
NOINLINE static double of_square(const square *s, const double *x) { return s->value(x) + s->weight(x); }
NOINLINE static double of_hidden(const hidden *h, const double *x) { return h->weight(x); }

static double f(double *x) {
  double sum = counted(x).made;
  for (auto &s : shapes) {
    sum += s->value(x) + s->twice(x);
    if (auto *n = dynamic_cast<named *>(s.get()))
      sum += n->weight(x) * of_named(*n, x);
    if (auto *q = dynamic_cast<square *>(s.get()))
      sum *= of_square(q, x);
  }
  sum += owner->weight(x) + of_hidden(owner.get(), x) + of_named(*owner, x);
  return sum + (chosen(0) ? chosen(0) : chosen(1))->value(x);
}

int main() {
  shapes.push_back(std::make_shared<square>());
  shapes.push_back(std::make_shared<power<4>>());
  shapes.push_back(std::make_shared<joined>());
  owner = std::make_unique<hidden>();
  others.push_back(new unrelated);
  CHECK(f, 1.2, 0.6);
  double x[] = {1.2, 0.6};
  SAME(others[0]->value(x), 1.2);
  delete others[0];
  return failures;
}
