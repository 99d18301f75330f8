/* Memory that cannot be had, and lengths that are too large: both are caught inside the differentiated function. */
#include "../../check.h"
#include <new>
#include <stdexcept>
#include <vector>

static double too_long(double *x) {
  double sum = x[0];
  try {
    std::vector<double> numbers;
    numbers.push_back(x[1]);
    sum += numbers[0] * x[2];
    numbers.reserve((size_t)-1 / 8);
    sum += 100 * x[0];
  } catch (const std::length_error &) {
    sum *= x[1];
  }
  return sum;
}

static double no_memory(double *x) {
  double sum = x[0];
  volatile size_t huge = (size_t)1 << 58;
  try {
    double *numbers = new double[huge];
    numbers[0] = x[1];
    sum += numbers[0];
    delete[] numbers;
  } catch (const std::bad_alloc &) {
    sum *= x[1] * x[2];
  }
  return sum;
}

int main() {
  CHECK(too_long, 0.7, 1.2, 0.4);
  CHECK(no_memory, 0.7, 1.2, 0.4);
  return failures;
}
