/* oneTBB's parallel_pipeline: items that are numbers, which the headers pass in the bits of a pointer, structs and pointers.
 * flags: -std=c++17 -ltbb */
#include "../check.h"
#include <tbb/parallel_pipeline.h>
#include <vector>

enum { N = 40 };
constexpr auto SERIAL = tbb::filter_mode::serial_in_order, PARALLEL = tbb::filter_mode::parallel;

struct Pair {
  double a, b;
};

template <class Item, class Make, class Take> static double through(const double *x, Make make, Take take) {
  double sum = 0;
  int next = 0;
  std::vector<double> y(N);
  for (int i = 0; i < N; i++)
    y[i] = x[0] * i;
  auto input = tbb::make_filter<void, double *>(SERIAL, [&](tbb::flow_control &control) -> double * {
    if (next < N)
      return &y[next++];
    control.stop();
    return nullptr;
  });
  auto middle = tbb::make_filter<double *, Item>(PARALLEL, make);
  auto output = tbb::make_filter<Item, void>(SERIAL, [&](Item item) { sum += take(item); });
  tbb::parallel_pipeline(4, input & middle & output);
  return sum;
}

static double of_numbers(double *x) {
  return through<double>(x, [x](double *p) { return sin(*p) * x[1]; }, [](double v) { return v * v; });
}

[[maybe_unused]] static double of_structs(double *x) {
  return through<Pair>(x, [x](double *p) { return Pair{sin(*p) * x[1], x[0]}; }, [](Pair v) { return v.a * v.b; });
}

[[maybe_unused]] static double of_pointers(double *x) {
  return through<double *>(x, [x](double *p) { *p *= x[1]; return p; }, [](double *p) { return cos(*p); });
}

int main() {
  CHECK(of_numbers, 0.3, 1.7);
#ifdef __OPTIMIZE__ /* at -O0, clang declares no types: filters of several pipelines are taken for one another */
  CHECK(of_structs, 0.3, 1.7);
  CHECK(of_pointers, 0.3, 1.7);
#endif
  return failures;
}
