/* Truncated code that throws and catches. */
#include "../check.h"

template <typename F> F *__enzyme_truncate_op_func(F *, int, int);

template <typename T> T limited(T x) {
  try {
    if (x > 1)
      throw x / 3;
    return x;
  } catch (T y) {
    return y * T(1.7);
  }
}

int main() {
  same("caught", 0, __enzyme_truncate_op_func(limited<double>, 64, 32)(2.0), limited<float>(2.0f), 0);
  same("not thrown", 0, __enzyme_truncate_op_func(limited<double>, 64, 32)(0.3), 0.3, 0);
  return failures;
}
