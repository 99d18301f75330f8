/* Truncated C++ functions, by the template that programs for Enzyme declare: a class, a vector, a reference. */
#include "../check.h"
#include <vector>

template <typename F> F *__enzyme_truncate_op_func(F *, int, int);
template <typename F> F *__enzyme_truncate_mem_func(F *, int, int, int);

template <typename T> struct Mean {
  T sum = 0;
  int count = 0;
  virtual ~Mean() = default;
  void add(T x) { sum += x, count++; }
  T value() const { return sum / count; }
};

template <typename T> void smooth(const std::vector<T> &in, std::vector<T> &out) {
  for (size_t i = 0; i < in.size(); i++) {
    Mean<T> mean;
    for (size_t k = i < 2 ? 0 : i - 2; k < in.size() && k < i + 3; k++)
      mean.add(in[k] * T(1.1));
    out.push_back(mean.value() + std::exp(-in[i]));
  }
}

static double thirds(double x) { return x / 3; }

int main() {
  std::vector<double> in, out;
  std::vector<float> in_float, out_float;
  for (int i = 0; i < 9; i++)
    in.push_back(std::sqrt(i + 1.0)), in_float.push_back(float(in.back()));
  __enzyme_truncate_op_func(smooth<double>, 64, 32)(in, out);
  smooth<float>(in_float, out_float);
  for (int i = 0; i < 9; i++)
    same("smoothed", i, out[i], out_float[i], 0);
  same("a third in 3 bits", 0, __enzyme_truncate_mem_func(thirds, 64, 6, 2)(1.0), 0.3125, 0);
  return failures;
}
