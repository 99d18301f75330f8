/* Numbers with derivatives are printed, and other numbers are read from texts and files: no channel is both. What an
 * inactive function writes and reads is the program's own affair. */
#include "../check.h"
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

static double parameters(double *x) {
  const char *text = getenv("NO_SUCH_VARIABLE");
  double factor = text ? atof(text) : 2, a = 0, b = 0, c = 1;
  std::istringstream in("1.5 2.5");
  in >> a >> b;
  if (FILE *zeros = fopen("/dev/zero", "rb")) {
    if (!fread(&c, sizeof c, 1, zeros))
      c = 1;
    fclose(zeros);
  }
  double result = x[0] * x[1] * factor + a * x[0] + b + c;
  printf("%g\n", result);
  fprintf(stderr, "%g\n", result);
  std::cerr << result << "\n";
  std::ostringstream log;
  log << "result = " << result;
  if (log.str().size() > 100)
    throw std::runtime_error("the result is " + std::to_string(result));
  return result + std::stod("3.5") * x[1];
}

__attribute__((enzyme_inactive)) NOINLINE static int rounded(double number) {
  char text[64];
  snprintf(text, sizeof text, "%.3g", number);
  return (int)strtod(text, nullptr);
}

static double by_inactive(double *x) { return rounded(x[0] * x[1] + 7) * x[0] * x[1]; }

int main() {
  CHECK(parameters, 0.5, 1.2);
  CHECK(by_inactive, 0.5, 1.2);
  return failures;
}
