// Lets a problem of samples/adbench be read with another type in the place of double (`active`), and with requests for
// derivatives that are calls of `request`. To be included before a namespace that has the problem.
#pragma once
#include "adbench.hpp"
#include <algorithm>
#include <cstring>
#include <utility>

struct as_const {};
struct as_dup {};

// What the problem finds as std: vectors with blocks, and functions that a tool overloads in its own namespace.
namespace numbers_of_a_tool::std {
using namespace ::std;

// what a vector's data() gives: a pointer that knows how many numbers there are
template <class T> struct block {
  T *at;
  size_t count;
  operator T *() const { return at; }
};

template <class T> struct vector : ::std::vector<T> {
  using ::std::vector<T>::vector;
  block<T> data() { return {::std::vector<T>::data(), this->size()}; }
  block<const T> data() const { return {::std::vector<T>::data(), this->size()}; }
};

#define FUNCTION(name)                                                                                                 \
  template <class... T> auto name(const T &...x) {                                                                     \
    using ::std::name;                                                                                                 \
    return name(x...);                                                                                                 \
  }
FUNCTION(exp)
FUNCTION(log)
FUNCTION(sqrt)
FUNCTION(sin)
FUNCTION(cos)
FUNCTION(tanh)
FUNCTION(fabs)
FUNCTION(fmax)
#undef FUNCTION
} // namespace numbers_of_a_tool::std

using numbers_of_a_tool::std::block;

#undef ADBENCH_HPP // it comes once more, in problem.hpp
