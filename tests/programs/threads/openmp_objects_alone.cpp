/* OpenMP in C++: what keeps regions in teams of one.
 * flags: -fopenmp */
#include "../check.h"
#include <exception>
#include <map>
#include <omp.h>
#include <stdexcept>
#include <string>
#include <vector>

enum { N = 6 };

static double exceptions_value(double *x) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 20; i++) {
    try {
      if (i % 3 == 1)
        throw x[i % N] * i;
      s += x[i % N];
    } catch (double v) {
      s += v * v;
    }
  }
  return s * s;
}

#pragma omp declare reduction(merge : std::vector<double> : omp_out.insert(omp_out.end(), omp_in.begin(), omp_in.end()))
static double append_reduction(double *x) {
  std::vector<double> h;
  double s = 0;
#pragma omp parallel for reduction(merge : h)
  for (int i = 0; i < 20; i++)
    h.push_back(x[i % N] * i);
  for (double v : h)
    s += v * v;
  return s;
}

static double sum_of_tasks_objects(std::vector<double> v) {
  if (v.size() < 3) {
    double s = 0;
    for (double d : v)
      s += d * d;
    return s;
  }
  std::vector<double> a(v.begin(), v.begin() + v.size() / 2), b(v.begin() + v.size() / 2, v.end());
  double s, t;
#pragma omp task shared(s) firstprivate(a)
  s = sum_of_tasks_objects(a);
#pragma omp task shared(t)
  t = sum_of_tasks_objects(b);
#pragma omp taskwait
  return s * t + s;
}
static double tasks_objects(double *x) {
  double r = 0;
  std::vector<double> v(x, x + N);
#pragma omp parallel
#pragma omp single
  r = sum_of_tasks_objects(v);
  return r;
}

struct work_of_threadprivate_class {
  double v[3];
  work_of_threadprivate_class() : v{1, 2, 3} {}
};
static work_of_threadprivate_class w_of_threadprivate_class;
#pragma omp threadprivate(w_of_threadprivate_class)
static double threadprivate_class(double *x) {
  double s = 0;
  w_of_threadprivate_class.v[1] = x[0];
#pragma omp parallel for copyin(w_of_threadprivate_class) reduction(+ : s)
  for (int i = 0; i < 20; i++) {
    s += w_of_threadprivate_class.v[1] * x[i % N];
  }
  return s;
}

static thread_local double buffer_of_thread_local_cpp[4];
static double thread_local_cpp(double *x) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 20; i++) {
    for (int k = 0; k < 4; k++)
      buffer_of_thread_local_cpp[k] = x[k] * i;
    s += buffer_of_thread_local_cpp[i % 4] * buffer_of_thread_local_cpp[(i + 1) % 4];
  }
  return s;
}

static double thread_local_vector(double *x) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 20; i++) {
    static thread_local std::vector<double> b;
    b.resize(4);
    for (int k = 0; k < 4; k++)
      b[k] = x[k] * i;
    s += b[i % 4] * b[(i + 1) % 4];
  }
  return s;
}

static double collapse_iter(double *x) {
  std::map<int, double> m;
  for (int i = 0; i < 20; i++)
    m[i] = x[i % N];
  double s = 0;
#pragma omp parallel
#pragma omp single
  for (auto &p : m) {
#pragma omp task firstprivate(p) shared(s)
    {
#pragma omp atomic
      s += p.second * p.first * p.second;
    }
  }
  return s;
}

static double exceptions_in_thread(double *x) {
  double y[20], s = 0;
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 20; i++) {
    try {
      if (i % 3 == 1)
        throw std::runtime_error("x");
      y[i] = x[i % N] * i;
    } catch (const std::exception &) {
      y[i] = x[i % N] * x[0];
    }
  }
  for (int i = 0; i < 20; i++)
    s += y[i] * y[19 - i];
  return s;
}

static double cancel_exception(double *x) {
  double s = 0;
  std::exception_ptr error;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 20; i++) {
    try {
      if (x[0] > 100)
        throw 1;
      s += x[i % N] * i;
    } catch (...) {
#pragma omp critical
      error = std::current_exception();
    }
  }
  if (error)
    return 0;
  return s * s;
}

int main() {
  CHECK(exceptions_value, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(append_reduction, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(tasks_objects, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(threadprivate_class, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(thread_local_cpp, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(thread_local_vector, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(collapse_iter, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(exceptions_in_thread, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(cancel_exception, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
