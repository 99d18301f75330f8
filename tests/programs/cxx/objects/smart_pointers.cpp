/* unique_ptr and shared_ptr: ownership passed on, shared nodes, weak pointers, deleters, arrays. */
#include "../../check.h"
#include <memory>
#include <vector>

struct node {
  double value;
  std::shared_ptr<node> next;
  std::weak_ptr<node> before;
  node(double v, std::shared_ptr<node> n) : value(v), next(std::move(n)) {}
};

NOINLINE static std::unique_ptr<double> boxed(double v) { return std::make_unique<double>(v * v); }

static double unique(double *x) {
  auto a = boxed(x[0]);
  std::unique_ptr<double> b = std::move(a);
  auto many = std::make_unique<double[]>(3);
  for (int i = 0; i < 3; i++)
    many[i] = x[i] * *b;
  std::unique_ptr<double, void (*)(double *)> own(new double(x[1]), [](double *p) { delete p; });
  *own *= many[2];
  a.reset(new double(x[2]));
  b.swap(a);
  return *own * *a + *b * many[1];
}

static double shared(double *x) {
  std::shared_ptr<node> list;
  for (int i = 0; i < 5; i++) {
    auto made = std::make_shared<node>(x[i % 3] * (i + 1), list);
    if (list)
      list->before = made;
    list = made;
  }
  auto second = list->next;
  second->value *= x[1];
  std::vector<std::shared_ptr<node>> extra(3, second);
  extra.push_back(std::shared_ptr<node>(new node(x[2], second->next)));
  double s = 0;
  for (const node *n = list.get(); n; n = n->next.get())
    s += n->value * n->value;
  if (auto previous = second->before.lock())
    s *= previous->value;
  extra.back()->next->value = 3;
  list.reset();
  return s * extra[1]->value * extra[3]->value * second->next->value * second.use_count();
}

int main() {
  CHECK(unique, 0.5, 1.6, 0.7);
  CHECK(shared, 0.5, 1.6, 0.7);
  return failures;
}
