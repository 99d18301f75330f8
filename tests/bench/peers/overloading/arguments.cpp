// Writes what a problem of samples/adbench gives to the function that it wants differentiated, for the array
// frameworks: PROGRAM FILE [SIZES]. An argument is a line (int or double; dup or const; how many numbers, or "one"),
// then its bytes. The derivatives by hand are the last one.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>

using active = double;

#include "requests.hpp"

static std::FILE *file;

template <class T> void write(const char *activity, const T *at, std::size_t count, const char *shape) {
  std::fprintf(file, "%s %s %s\n", std::is_integral_v<T> ? "int" : "double", activity, shape);
  std::fwrite(at, sizeof(T), count, file);
}

template <class T> void write(const char *activity, const block<T> &x) {
  write(activity, x.at, x.count, std::to_string(x.count).c_str());
}
template <class T> void write(const char *activity, const T &x) {
  if constexpr (std::is_pointer_v<T>)
    std::abort(); // of a request in a request, which is not called
  else
    write(activity, &x, 1, "one");
}

static void write_all() {}
template <class T, class... Rest> void write_all(as_const, const T &x, const Rest &...rest);
template <class T, class... Rest> void write_all(as_const, const T &x, const Rest &...rest) {
  write("const", x);
  write_all(rest...);
}
template <class T, class... Rest> void write_all(as_dup, const T &x, const void *, const Rest &...rest) {
  write("dup", x);
  write_all(rest...);
}
template <class F, class... A> double request(F *, const A &...arguments) {
  write_all(arguments...);
  return 0;
}

#include "problem.hpp"

int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out, enzyme_width;

int main(int, char **argv) {
  std::vector<int> sizes = numbers_of_a_tool::default_sizes;
  file = std::fopen(argv[1], "wb");
  for (std::size_t i = 0; i < sizes.size() && argv[i + 2]; i++)
    sizes[i] = std::atoi(argv[i + 2]);
  numbers_of_a_tool::problem *p = numbers_of_a_tool::make_problem({sizes.begin(), sizes.end()});
  p->derivative();
  p->by_hand();
  write("const", p->result.data());
  delete p;
  return std::fclose(file);
}
