/* std::string used beside numbers: built, compared, searched, converted; it decides, and carries nothing. */
#include "../../check.h"
#include <charconv>
#include <string>
#include <vector>

static double f(double *x) {
  std::string program = "add mul ";
  program += x[0] > 0 ? "sin a-long-name-that-needs-memory-of-its-own" : "cos";
  program = program + " mul" + std::to_string(3);
  double s = x[1];
  std::size_t from = 0;
  std::vector<std::string> words;
  while (from < program.size()) {
    std::size_t to = program.find(' ', from);
    if (to == std::string::npos)
      to = program.size();
    words.push_back(program.substr(from, to - from));
    from = to + 1;
  }
  for (const std::string &word : words) {
    if (word == "add")
      s += x[0];
    else if (word.rfind("mul", 0) == 0)
      s *= x[2] + word.length();
    else if (word == "sin")
      s = sin(s);
  }
  std::string digits = "2.5";
  return s * std::stod(digits) + std::stoi("3") * x[0];
}

/* The digits of numbers are output. */
static double shown(double *x) {
  std::string all;
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    char text[40];
    sum += x[i] * x[i];
    all.append(text, std::to_chars(text, text + sizeof text, sum).ptr - text);
    all.append(text, std::to_chars(text, text + sizeof text, sum, std::chars_format::scientific, 3).ptr - text);
  }
  return all.find('e') == std::string::npos ? 0 : sum * x[0];
}

int main() {
  CHECK(shown, 0.5, 1.6, 0.7);
  CHECK(f, 0.5, 1.6, 0.7);
  CHECK(f, -0.5, 1.6, 0.7);
  return failures;
}
