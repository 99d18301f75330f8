/* Two bases with virtual methods and fields, a virtual base, and casts between them. */
#include "../../check.h"

struct mass {
  double kilograms;
  virtual double weight() const { return kilograms * 9.81; }
  virtual ~mass() = default;
};

struct speed {
  double value;
  virtual double energy(double m) const { return 0.5 * m * value * value; }
  virtual ~speed() = default;
};

struct body : mass, speed {
  double spin;
  double weight() const override { return mass::weight() + spin; }
  double energy(double m) const override { return speed::energy(m) + spin * spin; }
};

struct base {
  double b = 0;
  virtual double get() const { return b; }
  virtual ~base() = default;
};
struct left : virtual base {
  double l = 0;
};
struct right : virtual base {
  double r = 0;
  double get() const override { return b * r; }
};
struct both : left, right {
  double own = 0;
};

NOINLINE static double kinetic(const speed *s, double m) { return s->energy(m); }
NOINLINE static double heavy(const mass *m) { return m->weight(); }
NOINLINE static double diamond(const base &b) { return b.get(); }

static double f(double *x) {
  body b;
  b.kilograms = x[0];
  b.value = x[1];
  b.spin = x[2];
  speed *s = &b;
  double sum = kinetic(s, b.kilograms) + heavy(&b);
  if (auto *back = dynamic_cast<body *>(s))
    back->spin *= x[1];
  if (dynamic_cast<both *>(s))
    sum *= 1000;
  sum += heavy(&b);
  both d;
  d.b = x[0] * x[2];
  d.l = x[1];
  d.r = sin(x[2]);
  d.own = 2;
  return sum + diamond(d) * d.l * d.own;
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
