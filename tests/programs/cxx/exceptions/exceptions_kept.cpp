/* Exceptions with numbers that are kept in a std::exception_ptr, and thrown again later: by tasks, in lists, made without
 * a throw, nested in another one, as a pointer, and out of the differentiated function. */
#include "../../check.h"
#include <exception>
#include <stdexcept>
#include <vector>

struct Number {
  double v;
};
struct Error : std::runtime_error {
  double v;
  Error(double v) : std::runtime_error("error"), v(v) {}
};

struct Task {
  std::exception_ptr failure;
  double result = 0;
  void run(double x, bool fails) {
    try {
      if (fails) throw Error(x * x);
      result = sin(x);
    } catch (...) {
      failure = std::current_exception();
    }
  }
  double get() const {
    if (failure) std::rethrow_exception(failure);
    return result;
  }
};

static double tasks(double *x) {
  std::vector<Task> all(4);
  double sum = 0;
  for (int i = 0; i < 4; i++) all[i].run(x[i % 2] * (i + 1), i % 2);
  for (const Task &task : all)
    try {
      sum = sum * x[1] + task.get();
    } catch (const Error &e) {
      sum += 3 * e.v * x[0];
    }
  return sum;
}

static double listed(double *x) {
  std::vector<std::exception_ptr> kept;
  double sum = 0;
  for (int i = 0; i < 3; i++)
    try {
      throw Number{x[0] * x[1] * i};
    } catch (...) {
      kept.push_back(std::current_exception());
    }
  kept.push_back(std::make_exception_ptr(Number{x[0] * x[0]}));
  std::vector<std::exception_ptr> copies(kept.rbegin(), kept.rend());
  for (const std::exception_ptr &one : copies)
    try {
      std::rethrow_exception(one);
    } catch (const Number &n) {
      sum = sum * x[0] + sin(n.v);
    }
  return std::current_exception() ? 0 : sum;
}

static double nested(double *x) {
  try {
    try {
      if (x[0] < 1) throw Error(x[0] * x[1]);
    } catch (...) {
      std::throw_with_nested(std::runtime_error("outer"));
    }
  } catch (const std::exception &outer) {
    try {
      std::rethrow_if_nested(outer);
    } catch (const Error &inner) {
      return inner.v * x[1];
    }
  }
  return 0;
}

static double pointer(double *x) {
  double number = x[0] * x[1];
  std::exception_ptr kept;
  try {
    throw &number;
  } catch (...) {
    kept = std::current_exception();
  }
  try {
    std::rethrow_exception(kept);
  } catch (double *p) {
    return *p * x[0];
  }
}

static double leaving(double *x) {
  std::exception_ptr kept;
  double sum = x[0];
  try {
    if (x[1] > 2) throw Error(sum);
    sum *= x[1];
  } catch (...) {
    kept = std::current_exception();
  }
  if (kept) std::rethrow_exception(kept);
  return sum;
}

int main() {
  CHECK(tasks, 0.3, 0.7);
  CHECK(listed, 0.3, 0.7);
  CHECK(nested, 0.3, 0.7);
  CHECK(pointer, 0.3, 0.7);
  CHECK(leaving, 0.3, 0.7);
  double x[2] = {0.3, 3}, dx[2] = {0};
  try {
    __enzyme_autodiff((void *)leaving, x, dx);
    failures++;
  } catch (const Error &e) {
    SAME(e.v, 0.3);
  }
  return failures;
}
