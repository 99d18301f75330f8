/* A function like memchr finds a place within its operand: the shadow lies at the same distance in the operand's. */
#include "../check.h"

static NOINLINE void *my_find(const void *memory, int byte, size_t size) {
  const unsigned char *at = memory;
  while (size-- > 0 && *at != byte)
    at++;
  return (void *)at;
}
void *__enzyme_function_like_memchr[] = {(void *)my_find, (void *)"memchr"};

struct tagged {
  double before;
  unsigned char tag[8];
  double number;
};

static double run(double *x) {
  struct tagged t = {x[0], "\001\002\003", x[1]};
  double *number = (double *)((char *)my_find(t.tag, 2, sizeof t.tag) + 7);
  return *number * t.before;
}

int main(void) {
  CHECK(run, 5, 6);
  return failures;
}
