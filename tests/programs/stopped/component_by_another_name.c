/* expect: points at memory that carries a derivative under another name
 * A constant handle holds the same address as a component of f's argument, and f follows the handle first. */
#include "../check.h"

struct model {
  int size;
  double scale, *weights;
};
struct handle {
  double **in;
};

NOINLINE static double f(struct model *model, struct handle *handle) {
  double *same = handle->in[1], sum = 0;
  for (int k = 0; k < model->size; k++)
    sum += same[k] * model->weights[k] * model->scale;
  return sum;
}

/* The size of the model is unknown here. */
NOINLINE static double gradient(struct model *model, struct model *shadow, struct handle *handle) {
  return __enzyme_autodiff((void *)f, model, shadow, enzyme_const, handle);
}

int main(void) {
  double weights[] = {0.5, 0.7, 0.9}, shadows[3] = {0};
  struct model model = {3, 2, weights}, shadow = {3, 0, shadows};
  gradient(&model, &shadow, &(struct handle){(double *[]){NULL, weights}});
  return 0;
}
