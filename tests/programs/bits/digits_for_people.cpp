/* Digits of the bits of numbers that only people and keys need, beside numbers that come from other digits. */
#include "../check.h"
#include <bitset>
#include <cstdint>
#include <map>
#include <string>

template <class To, class From> static To cast(From from) {
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

static const char digits[] = "0123456789abcdef";
static char log_of_bits[32], half[] = "3fe0000000000000";
static std::map<std::string, double> seen;

NOINLINE static void show(const double *y) {
  uint64_t bits;
  memcpy(&bits, y, sizeof bits);
  for (int i = 0; i < 16; i++)
    log_of_bits[i] = digits[bits >> (60 - 4 * i) & 15];
}

NOINLINE static double parsed(const char *text) {
  uint64_t bits = 0;
  for (int i = 0; i < 16; i++)
    bits = bits << 4 | (uint64_t)(strchr(digits, text[i]) - digits);
  return cast<double>(bits);
}

static double by_hand(double *x) {
  double y = x[0] * x[1];
  show(&y);
  return y * y * parsed(half) + (log_of_bits[0] == '4' ? x[0] : x[1]);
}

static double by_key(double *x) {
  double y = x[0] * x[1];
  std::string key = std::to_string(cast<uint64_t>(y)) + std::bitset<64>(cast<uint64_t>(y)).to_string();
  double &times = seen[key];
  times += 1;
  return y * cast<double>(std::stoull(half, nullptr, 16)) * (key.size() > 60 ? x[1] : x[0]);
}

int main() {
  CHECK(by_hand, 1.3, 2.7);
  CHECK(by_key, 1.3, 2.7);
  return failures;
}
