/* expect: error: numbers are written to a stream of which the places are not known [EZ0304]
 *
 * A stream has a buffer of a class of the program, which puts the bytes into its own memory. Texts are fine there. */
#include <cstring>
#include <ostream>
#include <streambuf>

double __enzyme_autodiff(void *, ...);

struct memory : std::streambuf {
  char bytes[16];
  memory() { setp(bytes, bytes + sizeof bytes); }
};

static double f(double x) {
  memory buffer, log;
  std::ostream stream(&buffer), notes(&log);
  double y = x * x, read;
  notes << "y = " << y;
  stream.write(reinterpret_cast<const char *>(&y), sizeof y);
  memcpy(&read, buffer.bytes, sizeof read);
  return read * x;
}

int main() { __enzyme_autodiff((void *)f, 0.5); }
