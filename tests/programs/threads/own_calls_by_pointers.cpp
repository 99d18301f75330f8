/* The program's own calls of a function with threads keep these threads, also through pointers that LLVM could follow.
 * flags: -pthread -std=c++20 */
#include "../check.h"
#include <barrier>
#include <functional>
#include <thread>

/* Its two threads wait for each other, which they cannot do in a derivative. */
static double meeting(double *x) {
  std::barrier both(2);
  double a = 0, b = 0;
  std::thread one([&] {
    a = x[0] * x[0];
    both.arrive_and_wait();
    a += b;
  });
  std::thread other([&] {
    b = x[1];
    both.arrive_and_wait();
  });
  one.join();
  other.join();
  return a;
}
static double counted(double *x) {
  int is_same = 0;
  auto maker = std::this_thread::get_id();
  std::thread t([&] { is_same = std::this_thread::get_id() == maker; });
  t.join();
  return is_same ? 5 * x[0] : 2 * x[0] * x[0];
}

/* Derivatives call this, too. */
static inline double scaled(double (*f)(double *), double *x) { return f(x) * x[0]; }
static double square(double *x) { return x[1] * x[1]; }
static double chosen(double *x) { return scaled(x[1] > 100 ? meeting : square, x); }

static inline double through_pointer(double (*f)(double *), double *x) { return f(x); }
static double through_function(const std::function<double(double *)> &f, double *x) { return f(x); }

int main(int count, char **) {
  double x[] = {3, 0.5}, dx[2] = {0};
  same("through a pointer", 0, through_pointer(meeting, x), 9.5, 1e-12);
  same("through a function", 0, through_function(meeting, x), 9.5, 1e-12);
  same("of a lambda", 0, through_function([](double *y) { return meeting(y); }, x), 9.5, 1e-12);
  same("by what derivatives use, too", 0, scaled(meeting, x), 28.5, 1e-12);
  if (count > 1)
    __enzyme_autodiff((void *)meeting, x, dx);
  CHECK(counted, 3, 0.5);
  CHECK(chosen, 3, 0.5);
  return failures;
}
