/* The first bytes of a tape lie on the stack, and so do the arrays of a loop that always runs a few times. The rest is
   on the heap, with blocks that are freed late: one tape may have all of them, at each level of a recursion. */
#include "../check.h"

static const double weights[12] = {.1, -.2, .3, .4, -.5, .6, .7, -.8, .9, 1, -1.1, 1.2};

/* Clenshaw's recurrence: both numbers of each iteration are needed again. */
static double few(double *x) {
  double last = 0, before = 0;
  for (int i = 11; i > 0; i--) {
    double now = 2 * x[0] * last * x[1] - before + weights[i] * last * last;
    before = last, last = now + weights[i];
  }
  return last * last - before;
}

/* How often the loop runs is known only here: 3 times, then 30 times. */
static double more(double *x) {
  double sum = 0;
  for (int n = 3; n <= 300; n *= 10 * n / 3) {
    double power = x[0];
    for (int i = 0; i < n; i++)
      power = sin(power + x[i % 3] / n);
    sum += power * x[2];
  }
  return sum;
}

static double upto(double *x, int n) {
  double power = x[0];
  for (int i = 0; i < n; i++)
    power = sin(power * x[1]) + x[2];
  return power;
}
static double lengths(double *x) { return upto(x, (int)x[3]) * upto(x, 70) + upto(x, 0) * upto(x, 2); }

/* Blocks that are freed late, and a tape that grows while they are there. */
static double blocks(double *x) {
  double sum = 0;
  for (int n = 1; n < 80; n += 13) {
    double *block = malloc(n * sizeof *block);
    for (int i = 0; i < n; i++)
      block[i] = i ? sin(block[i - 1] * x[i % 3]) + x[1] : x[0];
    sum += block[n - 1] * block[n / 2];
    free(block);
  }
  return sum;
}

static NOINLINE double down(double *x, int depth) {
  double local[5] = {x[0] / depth}, sum = 0;
  for (int i = 1; i < 5; i++)
    local[i] = sin(local[i - 1] * x[1]) + local[i - 1] * local[i - 1] * x[2];
  for (int i = 0; i < depth % 4; i++)
    sum += cos(sum * local[i]) * local[i + 1];
  return depth > 1 ? sum * .5 + sin(down(x, depth - 1)) : sum;
}
static double recursive(double *x) { return down(x, 40) + down(x, 3); }

int main(void) {
  CHECK(few, .3, .7);
  CHECK(more, .3, .7, -.4);
  CHECK(lengths, .3, .7, -.4, 5.5);
  CHECK(blocks, .3, .7, -.4);
  CHECK(recursive, .3, .7, -.4);
  return failures;
}
