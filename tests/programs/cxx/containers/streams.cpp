/* Printing inside f: iostream, manipulators, string streams; and numbers read back from text are constants. */
#include "../../check.h"
#include <iomanip>
#include <iostream>
#include <sstream>

struct point {
  double x, y;
  friend std::ostream &operator<<(std::ostream &out, const point &p) { return out << '(' << p.x << ", " << p.y << ')'; }
};

static double f(double *x) {
  double s = 0;
  for (int i = 0; i < 3; i++) {
    s += x[i] * x[i];
    std::cerr << "step " << i << ": " << std::setprecision(3) << std::fixed << s << std::endl;
  }
  point p{x[0], s};
  std::ostringstream out;
  out << p << " and " << std::hex << 255 << std::string(" text");
  s *= out.str().size() > 3 ? p.x : p.y;
  std::istringstream in("3 4");
  int a = 0;
  in >> a;
  std::cerr << out.str() << "\n";
  return s * a;
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
