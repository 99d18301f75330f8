// A problem of samples/adbench whose gradient is made by a tool that overloads operators: macros PROBLEM and TOOL are
// the names of the files of both. A tool's file has the type `active`, `value` of one, and a class `tape`, whose
// `gradient` takes a function of n active numbers, where to compute it, and where its derivatives go. What is not an
// input of the function has to be the same at each call: a tape may be used again.
#include TOOL
#include "requests.hpp"
#include <tuple>

// numbers by which to differentiate, and where their derivatives are added
struct input {
  const active *at;
  active *shadow;
  std::size_t count;
};

// stands for the pointer to the inputs from `first` on
struct input_from {
  std::size_t first;
};

static tape kept;
static std::vector<input> inputs;
static std::vector<double> place, slopes;

template <class T> T argument(const T &x, active *) { return x; }
static active *argument(input_from x, active *all) { return all + x.first; }

template <class F, class Arguments> double request_of(F *f, const Arguments &arguments) {
  place.clear();
  for (const input &i : inputs)
    for (std::size_t k = 0; k < i.count; k++)
      place.push_back(value(i.at[k]));
  slopes.resize(place.size());
  kept.gradient(
      [&](active *all) {
        return std::apply([&](const auto &...x) { return f(argument(x, all)...); }, arguments);
      },
      place.size(), place.data(), slopes.data());
  const double *from = slopes.data();
  for (const input &i : inputs)
    for (std::size_t k = 0; k < i.count; k++)
      i.shadow[k] += *from++;
  return 0;
}

template <class F, class Done, class T, class... Rest>
double request_of(F *f, const Done &done, as_const, const T &x, const Rest &...rest) {
  return request_of(f, std::tuple_cat(done, std::tuple<T>(x)), rest...);
}

template <class F, class Done, class T, class... Rest>
double request_of(F *f, const Done &done, as_dup, block<T> x, active *shadow, const Rest &...rest) {
  std::size_t first = 0;
  for (const input &i : inputs)
    first += i.count;
  inputs.push_back({x.at, shadow, x.count});
  return request_of(f, std::tuple_cat(done, std::tuple<input_from>(input_from{first})), rest...);
}

template <class F, class... A> double request(F *f, const A &...arguments) {
  inputs.clear();
  return request_of(f, std::tuple<>(), arguments...);
}

namespace numbers_of_a_tool {
static inline int whole(const active &x) { return (int)value(x); }
} // namespace numbers_of_a_tool

#include "problem.hpp"

struct of_doubles final : problem {
  numbers_of_a_tool::problem *inner;

  explicit of_doubles(numbers_of_a_tool::problem *inner) : inner(inner) {}
  ~of_doubles() override { delete inner; }
  double primal() override { return value(inner->primal()); }
  void derivative() override {
    inner->derivative();
    copy();
  }
  void by_hand() override {
    inner->by_hand();
    copy();
  }
  void copy() {
    result.clear();
    for (const active &x : inner->result)
      result.push_back(value(x));
  }
};

extern const std::vector<int> default_sizes = numbers_of_a_tool::default_sizes;

problem *make_problem(const std::vector<int> &sizes) {
  return new of_doubles(numbers_of_a_tool::make_problem({sizes.begin(), sizes.end()}));
}
