/* Handlers catch a base at an offset, a virtual base, a sliced copy, and an object by pointer. */
#include "../../check.h"
#include <stdexcept>
#include <string>

struct left {
  double l = 1;
  virtual ~left() {}
};

struct right {
  double r = 2;
  virtual double get() const { return r; }
  virtual ~right() {}
};

struct both : left, right {
  double own = 3;
  double get() const override { return own * r + l; }
};

struct root {
  double deep = 4;
};

struct over : virtual root {
  double more = 5;
};

struct described : std::runtime_error {
  double value;
  std::string text;
  described(const char *what, double v) : std::runtime_error(what), value(v), text("a text that is long enough") {}
};

NOINLINE static void risky(int k, double x, both &kept) {
  if (k == 0) {
    both b;
    b.l = x, b.r = x * x, b.own = sin(x);
    throw b;
  }
  if (k == 1) {
    over o;
    o.deep = x * x * x, o.more = x;
    throw o;
  }
  if (k == 2)
    throw described("described", exp(x));
  kept.l = x, kept.r = 2 * x, kept.own = x * x;
  if (k == 3)
    throw &kept;
  throw "text";
}

static double f(double *x) {
  double s = x[0];
  both kept;
  for (int k = 0; k < 6; k++) {
    try {
      risky(k, x[k % 3], kept);
    } catch (const right &r) {
      s += r.get() * x[1];
    } catch (root r) {
      r.deep *= x[2];
      s += r.deep;
    } catch (const described &d) {
      s *= d.value + (double)d.text.size() + (d.what()[0] == 'd');
    } catch (const std::exception &e) {
      s = 0;
    } catch (right *r) {
      s += r->get() * r->r;
    } catch (const char *t) {
      s *= x[0] * (t[0] == 't');
    }
  }
  return s;
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
