/* Structs of a number and a pointer are inserted at the front of an array: memmove's target overlaps its source. */
#include "../check.h"
struct event { double time; double *where; };

static double f(double *x) {
  double sums[2] = {0};
  struct event *events = malloc(4 * sizeof *events);
  for (int i = 0; i < 3; i++) {
    memmove(events + 1, events, i * sizeof *events);
    events[0] = (struct event){x[0] * (i + 1), &sums[i % 2]};
  }
  for (int i = 0; i < 3; i++)
    *events[i].where += events[i].time * (i + 1);
  free(events);
  return sums[0] + 2 * sums[1] * sums[0];
}

static double all_at_once(double *x) {
  double sums[2] = {0};
  struct event events[5];
  for (int i = 0; i < 4; i++)
    events[i] = (struct event){x[0] * (i + 1), &sums[i % 2]};
  memmove(events + 1, events, 4 * sizeof *events);
  for (int i = 0; i < 5; i++)
    *events[i].where += events[i].time * (i + 1);
  return sums[0] + 2 * sums[1] * sums[0];
}

int main(void) {
  CHECK(f, 0.7);
  CHECK(all_at_once, 0.7);
  return failures;
}
