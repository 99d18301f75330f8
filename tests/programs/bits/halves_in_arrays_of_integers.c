/* Doubles are copied to an array of int, whose elements move on one by one. */
#define NUMBER double
#define PART int
#include "../refused/bits/parts_of_numbers.h"

int main(void) {
  CHECK(f, 0.5, 1.2, 0.7);
  return failures;
}
