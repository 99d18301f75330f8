// Pointers to member functions in a table, of classes without virtual functions, with them, and with several bases.
#include "../check.h"
#include <math.h>
#include <vector>

struct Domain {
  std::vector<double> a, b;
  double factor;
  double &first(int i) { return a[i]; }
  double &second(int i) { return b[i]; }
};
typedef double &(Domain::*Member)(int);

static double sum(Domain &d, Member *members, int count) {
  double s = 0;
  for (int k = 0; k < count; k++)
    for (int i = 0; i < 2; i++)
      s += (d.*members[k])(i) * (d.*members[k])(i) * d.factor * (k + 1);
  return s;
}
static double plain(double *x) {
  Domain d = {{x[0], x[1]}, {x[1] * x[0], x[0]}, x[1]};
  Member members[] = {&Domain::first, &Domain::second};
  (d.*members[1])(0) *= x[0];
  return sum(d, members, 2);
}

struct Shape {
  double r;
  virtual double area() { return r * r; }
  virtual ~Shape() = default;
  double edge() { return 4 * r; }
};
struct Circle : Shape {
  double area() override { return 3 * r * r * r; }
};
static double of_virtual(double *x) {
  Circle c;
  Shape s;
  c.r = x[0], s.r = x[1];
  double (Shape::*members[])() = {&Shape::area, &Shape::edge};
  double total = 0;
  for (int k = 0; k < 2; k++)
    total += (c.*members[k])() * (s.*members[k])();
  return total;
}

struct Left {
  double l;
  double left() { return sin(l); }
};
struct Right {
  double r;
  double right() { return r * r; }
};
struct Both : Left, Right {};
static double of_bases(double *x) {
  Both b;
  b.l = x[0], b.r = x[1];
  double (Both::*members[])() = {&Both::left, &Both::right};
  return (b.*members[0])() * (b.*members[1])();
}

int main() {
  CHECK(plain, 0.7, 1.3);
  CHECK(of_virtual, 0.7, 1.3);
  CHECK(of_bases, 0.7, 1.3);
  return failures;
}
