/* EZ0304: the bits of numbers go through std::to_string, std::bitset, a string to which digits are added, to_chars.
   expect: in function: in_hexadecimal(double*) */
#include "../../check.h"
#include <bitset>
#include <charconv>
#include <cstdint>
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

static double in_hexadecimal(double *x) {
  std::string text;
  uint64_t written = cast<uint64_t>(x[0] * x[1]), read = 0;
  for (int shift = 60; shift >= 0; shift -= 4)
    text += "0123456789abcdef"[written >> shift & 15];
  for (char c : text)
    read = read << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
  return cast<double>(read);
}

static double by_conversions(double *x) {
  char text[32];
  uint64_t read = 0;
  auto end = std::to_chars(text, text + 32, cast<uint64_t>(x[0] * x[1])).ptr;
  std::from_chars(text, end, read);
  return cast<double>(read);
}

int main() {
  CHECK(in_decimal, 1.3, 2.7);
  CHECK(in_binary, 1.3, 2.7);
  CHECK(in_hexadecimal, 1.3, 2.7);
  CHECK(by_conversions, 1.3, 2.7);
  return failures;
}
