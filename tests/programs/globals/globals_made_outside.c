/* Globals point at memory that was made before the gradient is called: tables that are read only, work space that is
 * written to, other globals and the argument itself under another name; and all of that changes between calls. */
#include "../check.h"

struct net {
  double *weights, *bias;
  int n;
};
static double *weights, *rows[7], *work, *here, *state;
static struct net net;
static int n, room;
static double left[3] = {1, 2, 3}, right[3] = {4, 5, 6};

NOINLINE static double dot(const double *a, const double *b, int count) {
  double s = 0;
  for (int i = 0; i < count; i++)
    s += a[i] * b[i];
  return s;
}

/* read only, but given to a function that is also given active memory */
static double table(double *x) { return dot(x, weights, 3) * dot(x, x, 3); }

NOINLINE static double layer(const struct net *of, const double *x) {
  double s = 0;
  for (int i = 0; i < of->n; i++)
    s += sin(of->weights[i] * x[i] + of->bias[i]);
  return s;
}
static double in_struct(double *x) {
  struct net own = net;
  own.bias = x + 1;
  return layer(&net, x) * layer(&own, x);
}

static double in_rows(double *x) {
  double s = 0;
  for (int i = 0; i < 7; i++)
    s += dot(rows[i], x, 3) * dot(x, rows[6 - i], 3);
  return s;
}

/* work space: made by the first call, be that a gradient or not, and again when more is needed */
NOINLINE static void reserve(int count) {
  if (count > room) {
    free(work);
    work = malloc(count * sizeof *work);
    room = count;
  }
}
static double in_work(double *x) {
  int count = x[0] > 1 ? 9 : 4;
  reserve(count);
  for (int i = 0; i < count; i++)
    work[i] = sin(x[i % 3] * i) + x[1];
  double s = 0;
  for (int i = 0; i < count; i++)
    s += work[i] * work[count - 1 - i] * x[2];
  return s;
}

/* the global points into other globals, which f knows by name, too */
static double by_another_name(double *x) {
  here[0] = x[0] * x[1];
  left[2] = x[2];
  right[1] = x[0] + 1;
  return left[0] * here[1] + here[2] * x[1] + right[0] * left[2] * right[1];
}

/* and at the argument */
static double at_argument(double *x) {
  state[1] *= x[0];
  return x[1] * state[2];
}
static double at_argument_called(double *x) {
  state = x;
  return at_argument(x);
}

static void fill(double *a, int count, double from) {
  for (int i = 0; i < count; i++)
    a[i] = from + 0.25 * i;
}

int main(void) {
  for (int round = 1; round < 4; round++) {
    free(weights);
    weights = malloc(3 * round * sizeof *weights);
    fill(weights, 3 * round, 0.5 * round);
    CHECK(table, 0.4, -0.7, 1.2);

    net.n = n = 1 + round % 2;
    net.weights = weights;
    net.bias = weights + 1;
    CHECK(in_struct, 0.4, -0.7, 1.2);

    for (int i = 0; i < 7; i++)
      rows[i] = weights + (round > 1 ? i % 4 : 0);
    CHECK(in_rows, 0.4, -0.7, 1.2);

    CHECK(in_work, round - 0.6, -0.7, 1.2);

    here = round == 2 ? right : left;
    fill(left, 3, 1), fill(right, 3, 4);
    CHECK(by_another_name, 0.4, -0.7, 1.2);

    double x[] = {0.4, -0.7, 1.2}, dx[3] = {0};
    state = x;
    __enzyme_autodiff((void *)at_argument, x, dx);
    for (int i = 0; i < 3; i++)
      SAME(dx[i], check_difference(at_argument_called, (double[]){0.4, -0.7, 1.2}, 3, i));
  }
  free(weights), free(work);
  return failures;
}
