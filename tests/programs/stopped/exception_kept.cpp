/* EZ0307: a handler keeps the exception in a std::exception_ptr, though exceptions are control flow there.
   expect: std::current_exception is called in differentiated code that catches exceptions */
#include <exception>
extern double __enzyme_autodiff(void *, double);

static double f(double x) {
  std::exception_ptr kept;
  try {
    if (x > 1)
      throw x;
  } catch (...) {
    kept = std::current_exception();
  }
  return kept ? x * x : x;
}

int main() { return __enzyme_autodiff((void *)f, 1.5) > 100; }
