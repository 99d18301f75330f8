/* An allocator of the program: the declaration names the size argument and the arguments of the freeing function. */
#include "../check.h"

static int live;

static NOINLINE void *take(const char *why, size_t size) {
  live++;
  return malloc(size);
}
static NOINLINE void give_back(size_t size, void *memory) {
  live--;
  memset(memory, 0x7f, size);
  free(memory);
}
void *__enzyme_allocation_like_take[] = {(void *)take, (void *)1, (void *)"1,-1", (void *)give_back};

static NOINLINE double *make(int n) {
  live++;
  return malloc(n);
}
static NOINLINE void drop(double *p) {
  live--;
  free(p);
}
void *__enzyme_allocation_like_make[] = {(void *)make, (void *)0, (void *)"-1", (void *)drop};

static double f(double *x) {
  double *a = take("squares", 3 * sizeof *a), s = 0;
  for (int i = 0; i < 3; i++) {
    double *b = make(sizeof *b);
    *b = x[i] * x[i];
    a[i] = *b * x[0];
    drop(b);
  }
  for (int i = 0; i < 3; i++)
    s += a[i] * a[i];
  give_back(3 * sizeof *a, a);
  return s;
}

int main(void) {
  CHECK(f, 0.5, 0.7, 0.9);
  SAME(live, 0);
  return failures;
}
