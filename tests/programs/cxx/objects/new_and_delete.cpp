/* operator new and delete: arrays, placement, over-aligned types, nothrow, an operator of a class, sized delete. */
#include "../../check.h"
#include <cstddef>
#include <new>

struct point {
  double x, y;
};

struct alignas(64) wide {
  double v[8];
};

struct with_destructor {
  double *held;
  explicit with_destructor(double v = 2) : held(new double(v)) {}
  ~with_destructor() { delete held; }
};

struct pooled {
  double value;
  static void *operator new(std::size_t size) { return ::operator new(size + 8); }
  static void operator delete(void *p) { ::operator delete(p); }
};

static double f(double *x) {
  auto *p = new point{x[0], x[1]};
  auto *many = new double[5]();
  for (int i = 0; i < 5; i++)
    many[i] += x[i % 3] * p->x;
  auto *w = new wide{{x[0], x[1], x[2]}};
  auto *none = new (std::nothrow) double(x[2]);
  alignas(point) std::byte place[sizeof(point)];
  auto *q = new (place) point{p->y, w->v[2]};
  auto *objects = new with_destructor[3];
  *objects[1].held *= x[0];
  auto *one = new pooled{x[1]};
  void *raw = ::operator new(sizeof(point), std::align_val_t{32});
  auto *r = new (raw) point{x[2], *none};
  double s = many[1] * many[4] + q->x * q->y + w->v[1] * *none + *objects[1].held * one->value + r->x * r->y;
  q->~point();
  ::operator delete(raw, std::align_val_t{32});
  delete one;
  delete[] objects;
  delete none;
  delete w;
  delete[] many;
  delete p;
  return s;
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
