/* Expression templates by the curiously recurring template pattern, and static polymorphism. */
#include "../../check.h"
#include <cstddef>
#include <vector>

template <class E> struct expression {
  const E &self() const { return static_cast<const E &>(*this); }
  double operator[](std::size_t i) const { return self()[i]; }
  std::size_t size() const { return self().size(); }
};

template <class A, class B> struct sum : expression<sum<A, B>> {
  const A &a;
  const B &b;
  sum(const A &a_, const B &b_) : a(a_), b(b_) {}
  double operator[](std::size_t i) const { return a[i] + b[i]; }
  std::size_t size() const { return a.size(); }
};

template <class A, class B> struct product : expression<product<A, B>> {
  const A &a;
  const B &b;
  product(const A &a_, const B &b_) : a(a_), b(b_) {}
  double operator[](std::size_t i) const { return a[i] * b[i]; }
  std::size_t size() const { return a.size(); }
};

struct vec : expression<vec> {
  std::vector<double> v;
  explicit vec(std::size_t n) : v(n) {}
  template <class E> vec(const expression<E> &e) : v(e.size()) {
    for (std::size_t i = 0; i < v.size(); i++)
      v[i] = e[i];
  }
  double operator[](std::size_t i) const { return v[i]; }
  double &operator[](std::size_t i) { return v[i]; }
  std::size_t size() const { return v.size(); }
};

template <class A, class B> sum<A, B> operator+(const expression<A> &a, const expression<B> &b) {
  return {a.self(), b.self()};
}
template <class A, class B> product<A, B> operator*(const expression<A> &a, const expression<B> &b) {
  return {a.self(), b.self()};
}

template <class D> struct counter {
  double run(double x) { return static_cast<D *>(this)->step(static_cast<D *>(this)->step(x)); }
};
struct cubic : counter<cubic> {
  double factor;
  double step(double x) { return factor * x * x * x; }
};

static double f(double *x) {
  vec a(5), b(5);
  for (int i = 0; i < 5; i++) {
    a[i] = x[i % 3] * i;
    b[i] = x[(i + 1) % 3];
  }
  vec c = a * b + b * (a + a);
  c = c + c * c;
  double s = 0;
  for (std::size_t i = 0; i < 5; i++)
    s += c[i];
  cubic k;
  k.factor = x[2];
  return s + k.run(x[0]);
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
