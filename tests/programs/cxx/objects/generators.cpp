/* Coroutines that generate numbers: inlined, and resumed by other functions, from frames on the heap.
 * flags: -std=c++20 */
#include "../../check.h"
#include <coroutine>
#include <exception>

struct Generator {
  struct promise_type {
    double value;
    Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(double number) {
      value = number;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { thrown = std::current_exception(); }
    std::exception_ptr thrown;
  };
  std::coroutine_handle<promise_type> handle;
  Generator(std::coroutine_handle<promise_type> h) : handle(h) {}
  Generator(const Generator &) = delete;
  ~Generator() { handle.destroy(); }
  bool next() {
    handle.resume();
    if (handle.promise().thrown)
      std::rethrow_exception(handle.promise().thrown);
    return !handle.done();
  }
  double value() { return handle.promise().value; }
};

static Generator powers(double factor, double scale) {
  double power = 1;
  for (int i = 0; i < 5; i++) {
    co_yield power * scale;
    power *= factor;
  }
}

static double inlined(double *x) {
  Generator generator = powers(x[0], x[1]);
  double sum = 0;
  for (int i = 0; generator.next(); i++)
    sum += generator.value() * (i % 2 ? x[2] : 1);
  return sum;
}

NOINLINE static Generator products(const double *x, int n) {
  double product = 1;
  for (int i = 0; i < n; i++) {
    co_yield product * x[1];
    product *= sin(x[i % 3]);
  }
}
NOINLINE static double alternating(Generator &generator, double weight) {
  double sum = 0;
  for (int i = 0; generator.next(); i++)
    sum += generator.value() * (i % 2 ? weight : 1);
  return sum;
}
static double resumed_elsewhere(double *x) {
  Generator generator = products(x, 5);
  return alternating(generator, x[2]);
}

int main() {
  CHECK(inlined, 0.7, 1.2, 0.4);
  CHECK(resumed_elsewhere, 0.7, 1.2, 0.4);
  return failures;
}
