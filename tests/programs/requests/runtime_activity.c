/* enzyme_runtime_activity: a shadow that is the primal itself marks constant memory, also behind pointers in memory; that
   memory is read and never changed. */
#include "../check.h"

extern int enzyme_runtime_activity;
extern double __enzyme_fwddiff(void *, ...);

struct layer {
  double *weight, *input;
};

static double apply(struct layer *layers, int n) {
  double s = 0;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < 2; i++)
      s += layers[k].weight[i] * layers[k].input[i] * layers[k].input[i];
  return s;
}

static void scale(double *x, double *y, double *out) {
  double *chosen = x[0] > 0 ? x : y;
  out[0] = chosen[0] * chosen[1];
}

int main(void) {
  double w[2] = {2, 3}, dw[2] = {0}, v[2] = {5, 7}, x[2] = {11, 13}, dx[2] = {0};
  struct layer layers[2] = {{w, x}, {v, x}}, shadows[2] = {{dw, dx}, {v, dx}};
  __enzyme_autodiff((void *)apply, enzyme_runtime_activity, layers, shadows, 2);
  for (int i = 0; i < 2; i++) {
    SAME(dw[i], x[i] * x[i]);
    SAME(dx[i], 2 * x[i] * (w[i] + v[i]));
  }
  SAME(v[0], 5);
  SAME(v[1], 7);
  dw[0] = 1, dw[1] = dx[0] = dx[1] = 0;
  SAME(__enzyme_fwddiff((void *)apply, enzyme_runtime_activity, layers, shadows, 2), 121);
  double out = 0, dout = 1;
  __enzyme_autodiff((void *)scale, enzyme_runtime_activity, x, x, w, dw, &out, &dout);
  SAME(out, 143);
  SAME(x[0], 11);
  SAME(x[1], 13);
  return failures;
}
