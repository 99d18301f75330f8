/* EZ0304: the bits of numbers go through std::to_string and std::bitset, and a pointer to a number through pword.
   expect: reason: a number or pointer that carries a derivative is stored in memory that _ZNSt8ios_base5pwordEi gave */
#include "../../check.h"
#include <bitset>
#include <cstdint>
#include <sstream>
#include <string>

template <class To, class From> static To cast(From from) {
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

static double in_decimal(double *x) {
  std::string text = std::to_string(cast<uint64_t>(x[0] * x[1]));
  return cast<double>(std::stoull(text));
}

static double in_binary(double *x) {
  std::string text = std::bitset<64>(cast<uint64_t>(x[0] * x[1])).to_string();
  return cast<double>(std::bitset<64>(text).to_ullong());
}

static double behind_a_stream(double *x) {
  std::ostringstream stream;
  double y = x[0] * x[1];
  stream.pword(1) = &y;
  return *static_cast<double *>(stream.pword(1));
}

int main() {
  CHECK(in_decimal, 1.3, 2.7);
  CHECK(in_binary, 1.3, 2.7);
  CHECK(behind_a_stream, 1.3, 2.7);
  return failures;
}
