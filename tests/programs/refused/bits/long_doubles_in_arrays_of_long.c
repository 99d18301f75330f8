/* EZ0303: long doubles are copied to an array of long, whose elements move on one by one. */
#define NUMBER long double
#define PART long
#include "parts_of_numbers.h"

int main(void) {
  CHECK_LONG(f, 0.5, 1.2, 0.7);
  return failures;
}
