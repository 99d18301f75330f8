/* A plain gradient works as it does alone if the program also asks for second derivatives, of another function. */
#include "../check.h"

struct handle {
  double *numbers, *other;
  double last;
};
static struct handle *handle;

static double through_handle(double *x) {
  handle->numbers[0] = x[0] * x[1];
  handle->last = sin(handle->numbers[0]);
  return handle->last * handle->numbers[0] + handle->other[1];
}

static double cube(double x) { return x * x * x; }
static double slope(double x) { return __enzyme_autodiff((void *)cube, x); }

int main(int count, char **words) {
  struct handle *handles[2];
  for (int k = 0; k < 2; k++) {
    handles[k] = malloc(sizeof **handles);
    handles[k]->numbers = calloc(2, sizeof(double));
    handles[k]->other = calloc(2, sizeof(double));
  }
  handle = handles[count > 5];
  CHECK(through_handle, 0.7, 1.3);
  SAME(__enzyme_autodiff((void *)slope, 2.0), 12);
  SAME(__enzyme_fwddiff((void *)slope, 2.0, 1.0), 12);
  for (int k = 0; k < 2; k++) {
    free(handles[k]->numbers);
    free(handles[k]->other);
    free(handles[k]);
  }
  return failures;
}
