/* Handlers that would keep an exception in a std::exception_ptr, as tasks do, whose results are asked later. */
#include "../../check.h"
#include <exception>
#include <stdexcept>
#include <utility>
#include <vector>

static double work(double x, bool fails) {
  if (fails)
    throw std::runtime_error("no result");
  return x * x;
}

struct Task {
  std::exception_ptr failure;
  double result = 0;
  void run(double x, bool fails) {
    try {
      result = work(x, fails);
    } catch (...) {
      failure = std::current_exception();
    }
  }
  double get() const {
    if (failure)
      std::rethrow_exception(failure);
    return result;
  }
};

static double tasks(double *x) {
  std::vector<Task> all(4);
  for (int i = 0; i < 4; i++)
    all[i].run(x[i % 2] * (i + 1), i > 5);
  std::swap(all[0], all[3]);
  double sum = 0;
  for (const Task &task : all)
    try {
      sum = sum * x[1] + task.get();
    } catch (const std::exception &) {
      sum += 100;
    }
  return sum;
}

static double first_failure(double *x) {
  std::exception_ptr first, moved;
  double sum = 0;
  for (int i = 0; i < 3; i++)
    try {
      sum += work(x[0] * i, x[1] > 10) * x[1];
    } catch (...) {
      if (!first)
        first = std::current_exception();
    }
  moved = std::move(first);
  if (moved)
    std::rethrow_exception(moved);
  return sum;
}

int main() {
  CHECK(tasks, 1.3, 0.7);
  CHECK(first_failure, 1.3, 0.7);
  return failures;
}
