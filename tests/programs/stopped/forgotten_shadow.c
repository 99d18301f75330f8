/* The shadow of a struct has null where the struct has a pointer: nothing is deleted for that, the program ends there. */
#include "../check.h"

struct model {
  double *weights, *data;
};
static double f(struct model *m) { return sin(m->weights[0]) * m->data[0]; }

int main(void) {
  double weights[] = {1}, data[] = {4}, dweights[1] = {0};
  struct model m = {weights, data}, dm = {0};
  dm.weights = dweights;
  __enzyme_autodiff((void *)f, enzyme_dup, &m, &dm);
  return 0;
}
