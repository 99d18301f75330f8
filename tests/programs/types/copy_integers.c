/* memcpy of integers beside numbers: indices have no derivative, and no shadow is read as one. */
#include "../check.h"

static double copy(double *x) {
  int order[4] = {3, 1, 0, 2}, again[4];
  long big[3] = {2, 0, 1}, *heap = malloc(sizeof big);
  char text[8] = "abc";
  char *other = malloc(8);
  memcpy(again, order, sizeof again);
  memcpy(heap, big, sizeof big);
  memcpy(other, text, sizeof text);
  double s = 0;
  for (int i = 0; i < 4; i++)
    s += x[again[i]] * x[heap[i % 3]] * (other[i % 3] - 'a' + 1);
  free(heap);
  free(other);
  return s;
}

int main(void) {
  CHECK(copy, 0.5, 1.5, 0.7, 1.1);
  return failures;
}
