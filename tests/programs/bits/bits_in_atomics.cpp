/* Bits of numbers in atomic integers, which sums exchange: the integers are declared, and the numbers keep their derivatives. */
#include "../check.h"
#include <atomic>
#include <cstdint>

static uint64_t bits(double number) {
  uint64_t word;
  memcpy(&word, &number, sizeof word);
  return word;
}
static double number(uint64_t word) {
  double number;
  memcpy(&number, &word, sizeof number);
  return number;
}

struct Sum {
  std::atomic<uint64_t> word{0};
  void add(double more) {
    uint64_t old = word.load();
    while (!word.compare_exchange_weak(old, bits(number(old) + more)))
      ;
  }
};

static double exchanged(double *x) {
  Sum *sum = new Sum;
  for (int i = 0; i < 3; i++)
    sum->add(x[0] * i);
  sum->add(x[1] * x[1]);
  double all = number(sum->word.load());
  delete sum;
  return all * all;
}

static double stored(double *x) {
  Sum sum;
  sum.word.store(bits(x[0] * x[1]));
  double y = number(sum.word.load(std::memory_order_relaxed));
  return sin(y) + y;
}

int main() {
  CHECK(exchanged, 0.3, 1.7);
  CHECK(stored, 0.3, 1.7);
  return failures;
}
