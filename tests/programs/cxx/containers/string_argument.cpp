// A std::string argument with numbers in its bytes: nothing but its members tells that numbers lie there.
#include "../../check.h"

#include <string>

template <class R, class... T> R __enzyme_autodiff(void *, T...);
template <class R, class... T> R __enzyme_fwddiff(void *, T...);

static double read(std::string &bytes) {
  double number;
  memcpy(&number, bytes.data(), sizeof number);
  return number * number;
}
static double replaced(std::string &bytes) {
  std::string copy(bytes.data(), bytes.size());
  bytes = copy + copy;
  return read(bytes) * *reinterpret_cast<const double *>(bytes.data() + 24);
}
static std::string of(double first, double second) {
  double numbers[2] = {first, second};
  return std::string(reinterpret_cast<const char *>(numbers), sizeof numbers);
}
template <double (*function)(std::string &)> static void compare(const char *name, double first, double second) {
  for (int i = 0; i < 2; i++) {
    std::string bytes = of(3, 5), direction = of(!i, i), shadow = of(0, 0), again = of(3, 5);
    shadow.append(50, 0).resize(bytes.size()); // it fits, also when the string has grown
    __enzyme_autodiff<void>((void *)function, enzyme_dup, &again, &shadow);
    double got = reinterpret_cast<const double *>(shadow.data())[i], want = i ? second : first;
    same(name, i, got, want, 1e-12);
    same("forward", i, __enzyme_fwddiff<double>((void *)function, enzyme_dup, &bytes, &direction), want, 1e-12);
  }
}

int main() {
  compare<read>("read", 6, 0);
  compare<replaced>("replaced", 30, 9);
  return failures;
}
