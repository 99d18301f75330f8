/* dynamic_cast down, across and failing; virtual inheritance; pointers to virtual methods and to members in tables. */
#include "../../check.h"
#include <memory>
#include <typeinfo>
#include <vector>

struct shape {
  virtual ~shape() {}
  virtual double area() const = 0;
  double weight = 1;
};
struct tagged {
  virtual ~tagged() {}
  virtual double tag() const { return 2; }
  double q = 0;
};
struct circle : shape {
  double r;
  circle(double r) : r(r) {}
  double area() const override { return 3 * r * r; }
};
struct square : shape, tagged {
  double a;
  square(double a) : a(a) { q = a * 2; }
  double area() const override { return a * a; }
  double tag() const override { return a * q; }
};

static double casts(double *x) {
  std::vector<std::unique_ptr<shape>> shapes;
  shapes.push_back(std::make_unique<circle>(x[0]));
  shapes.push_back(std::make_unique<square>(x[1]));
  shapes.push_back(std::make_unique<circle>(x[2]));
  double s = 0;
  for (auto &p : shapes) {
    const shape &found = *p;
    s += found.area() * found.weight;
    if (auto *t = dynamic_cast<tagged *>(p.get())) {
      s *= t->tag();
      if (auto *back = dynamic_cast<square *>(t))
        s += back->a;
    }
    if (typeid(found) == typeid(circle))
      s += static_cast<const circle &>(found).r;
    try {
      s += dynamic_cast<const circle &>(found).r;
    } catch (std::bad_cast &) {
      s *= 2;
    }
  }
  return s;
}

struct base {
  double b;
  virtual ~base() {}
  virtual double value() const { return b; }
};
struct left : virtual base {
  double l = 0;
  double value() const override { return b * l; }
};
struct right : virtual base {
  double r = 0;
};
struct both : left, right {
  double value() const override { return left::value() + r * b; }
};

static double diamond(double *x) {
  both d;
  d.b = x[0];
  d.l = x[1];
  d.r = x[2];
  right &r = d;
  both copy = d;
  copy.b *= 2;
  std::vector<base *> all{&r, &copy};
  double s = 1;
  for (auto *p : all)
    s *= p->value();
  return s + dynamic_cast<left &>(r).l;
}

struct pair {
  double a, b;
  virtual ~pair() {}
  virtual double g(double y) { return b * y * y; }
};
struct other : pair {
  double g(double y) override { return a * b * y; }
};

static double members(double *x) {
  double (pair::*method)(double) = &pair::g;
  double pair::*fields[] = {&pair::a, &pair::b};
  pair p;
  other q;
  p.a = x[0], p.b = q.a = x[1], q.b = x[2];
  double s = 0;
  for (pair *o : {&p, static_cast<pair *>(&q)}) {
    for (auto field : fields)
      s += o->*field * (o->*field);
    s *= (o->*method)(x[0]);
  }
  return s;
}

int main() {
  CHECK(casts, 0.5, 1.6, 0.7);
  CHECK(diamond, 0.5, 1.6, 0.7);
  CHECK(members, 0.5, 1.6, 0.7);
  return failures;
}
