// [[enzyme::inactive]] in a comment means nothing
#pragma once
#define INACTIVE [[enzyme::inactive, gnu::noinline]]

[[nodiscard, enzyme_inactive]] double squared(double x);

struct rule {
  double factor;
  [[using enzyme: inactive]] double twice(double x) const;
  [[maybe_unused]] [[clang::enzyme_inactive]] static double fourth(double x) { return x * x * x * x; }
};
