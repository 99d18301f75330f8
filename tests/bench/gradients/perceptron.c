/* A perceptron of two layers over a batch: the buffer of the hidden layer is overwritten for each sample. */
#include "bench.h"

enum { IN = 64, HIDDEN = 64, SAMPLES = 300 };

__attribute__((noinline)) static double loss_of(const double *w1, const double *b1, const double *w2, const double *x,
                                                const double *y, double *hidden, int in, int units, int samples) {
  double loss = 0;
  for (int k = 0; k < samples; k++) {
    for (int i = 0; i < units; i++) {
      double s = b1[i];
      for (int j = 0; j < in; j++)
        s += w1[i * in + j] * x[k * in + j];
      hidden[i] = tanh(s);
    }
    double out = 0;
    for (int i = 0; i < units; i++)
      out += w2[i] * hidden[i];
    loss += (out - y[k]) * (out - y[k]);
  }
  return loss;
}

static void loss_by_hand(const double *w1, double *dw1, const double *b1, double *db1, const double *w2, double *dw2,
                         const double *x, const double *y, double *hidden, int in, int units, int samples) {
  double *log = malloc((size_t)samples * (units + 1) * sizeof *log);
  for (int k = 0; k < samples; k++) {
    double out = 0, *kept = log + (size_t)k * (units + 1);
    for (int i = 0; i < units; i++) {
      double s = b1[i];
      for (int j = 0; j < in; j++)
        s += w1[i * in + j] * x[k * in + j];
      kept[i] = hidden[i] = tanh(s);
    }
    for (int i = 0; i < units; i++)
      out += w2[i] * hidden[i];
    kept[units] = 2 * (out - y[k]);
  }
  for (int k = samples; k-- > 0;) {
    const double *kept = log + (size_t)k * (units + 1);
    double dout = kept[units];
    for (int i = 0; i < units; i++) {
      dw2[i] += dout * kept[i];
      double ds = dout * w2[i] * (1 - kept[i] * kept[i]);
      db1[i] += ds;
      for (int j = 0; j < in; j++)
        dw1[i * in + j] += ds * x[k * in + j];
    }
  }
  free(log);
}

static double *w1, *dw1, *dw1_hand, *b1, *db1, *db1_hand, *w2, *dw2, *dw2_hand, *x, *y, *hidden, *dhidden;

static void clear(double *a, double *b, double *c) {
  memset(a, 0, HIDDEN * IN * sizeof *a), memset(b, 0, HIDDEN * sizeof *b), memset(c, 0, HIDDEN * sizeof *c);
}
static void primal(void) { loss_of(w1, b1, w2, x, y, hidden, IN, HIDDEN, SAMPLES); }
static void gradient(void) {
  clear(dw1, db1, dw2);
  __enzyme_autodiff((void *)loss_of, enzyme_dup, w1, dw1, enzyme_dup, b1, db1, enzyme_dup, w2, dw2, enzyme_const, x,
                    enzyme_const, y, enzyme_dup, hidden, dhidden, IN, HIDDEN, SAMPLES);
}
static void hand(void) {
  clear(dw1_hand, db1_hand, dw2_hand);
  loss_by_hand(w1, dw1_hand, b1, db1_hand, w2, dw2_hand, x, y, hidden, IN, HIDDEN, SAMPLES);
}

int main(void) {
  w1 = numbers(HIDDEN * IN, -0.2, 0.2), b1 = numbers(HIDDEN, -1, 1), w2 = numbers(HIDDEN, -1, 1);
  x = numbers(SAMPLES * IN, -1, 1), y = numbers(SAMPLES, -1, 1), hidden = numbers(HIDDEN, 0, 0);
  dw1 = numbers(HIDDEN * IN, 0, 0), dw1_hand = numbers(HIDDEN * IN, 0, 0), db1 = numbers(HIDDEN, 0, 0);
  db1_hand = numbers(HIDDEN, 0, 0), dw2 = numbers(HIDDEN, 0, 0), dw2_hand = numbers(HIDDEN, 0, 0);
  dhidden = numbers(HIDDEN, 0, 0);
  return report(primal, gradient, hand, dw1, dw1_hand, HIDDEN * IN, SAMPLES * (HIDDEN + 1) * sizeof(double));
}
