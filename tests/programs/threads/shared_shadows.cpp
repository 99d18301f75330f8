/* Threads of the program make one request at the same time, with the same shadows (enzyme_shared).
 * flags: -pthread */
#include "../check.h"
#include <thread>
#include <vector>

extern int enzyme_shared;
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);

enum { SIZE = 5, LAYERS = 3, SAMPLES = 240 };

struct network {
  std::vector<double> weights, offsets;
};

static NOINLINE double layer(const network &net, std::vector<double> &state, int number) {
  std::vector<double> next(state.size());
  double sum = 0;
  for (int i = 0; i < SIZE; i++) {
    double a = net.offsets[number * SIZE + i];
    for (int j = 0; j < SIZE; j++)
      a += net.weights[(number * SIZE + i) * SIZE + j] * state[j];
    next[i] = tanh(a);
    sum += next[i];
  }
  state = next;
  return sum;
}
static double loss(const network *net, const double *sample, double expected) {
  std::vector<double> state(sample, sample + SIZE);
  double sum = 0;
  for (int k = 0; k < LAYERS; k++)
    sum += layer(*net, state, k);
  for (double v : state)
    sum += v * v;
  return (sum - expected) * (sum - expected);
}

/* what the thread writes is its own, and so is its shadow */
static void scaled(const double *w, const double *x, double *y) {
  for (int i = 0; i < SIZE; i++)
    y[i] = w[i] * x[i] * w[(i + 1) % SIZE];
}

static network net, expected;
static double samples[SAMPLES * SIZE];

static double worst(const std::vector<double> &a, const std::vector<double> &b) {
  double most = 0;
  for (size_t i = 0; i < a.size(); i++)
    most = fmax(most, fabs(a[i] - b[i]) / (1 + fabs(b[i])));
  return most;
}

template <typename Work> static void divided(int threads, Work work) {
  std::vector<std::thread> made;
  for (int t = 0; t < threads; t++)
    made.emplace_back([=] {
      for (int k = t; k < SAMPLES; k += threads)
        work(k);
    });
  for (auto &thread : made)
    thread.join();
}

int main() {
  for (int i = 0; i < LAYERS * SIZE * SIZE; i++)
    net.weights.push_back(0.3 * sin(i * 1.7));
  for (int i = 0; i < LAYERS * SIZE; i++)
    net.offsets.push_back(0.1 * cos(i));
  for (int i = 0; i < SAMPLES * SIZE; i++)
    samples[i] = sin(0.37 * i);
  network none{std::vector<double>(net.weights.size()), std::vector<double>(net.offsets.size())};
  expected = none;
  for (int k = 0; k < SAMPLES; k++)
    __enzyme_autodiff((void *)loss, enzyme_dup, &net, &expected, enzyme_const, samples + k * SIZE, enzyme_const, 0.5);
  for (int threads : {1, 2, 3, 8}) {
    network shadow = none;
    divided(threads, [&shadow](int k) {
      __enzyme_autodiff((void *)loss, enzyme_shared, enzyme_dup, &net, &shadow, enzyme_const, samples + k * SIZE,
                        enzyme_const, 0.5);
    });
    same("weights", threads, worst(shadow.weights, expected.weights), 0, 1e-11);
    same("offsets", threads, worst(shadow.offsets, expected.offsets), 0, 1e-11);

    std::vector<double> w(net.offsets.begin(), net.offsets.begin() + SIZE), dw(SIZE), once(SIZE);
    divided(threads, [&w, &dw](int k) {
      double y[SIZE], dy[SIZE] = {1, 2, 3, 4, 5};
      void *tape = __enzyme_augmentfwd((void *)scaled, enzyme_shared, enzyme_dup, w.data(), dw.data(), enzyme_const,
                                       samples + k * SIZE, enzyme_dup, y, dy);
      __enzyme_reverse((void *)scaled, enzyme_shared, enzyme_dup, w.data(), dw.data(), enzyme_const,
                       samples + k * SIZE, enzyme_dup, y, dy, tape);
    });
    for (int k = 0; k < SAMPLES; k++)
      for (int i = 0; i < SIZE; i++) {
        once[i] += (i + 1) * samples[k * SIZE + i] * w[(i + 1) % SIZE];
        once[(i + 1) % SIZE] += (i + 1) * samples[k * SIZE + i] * w[i];
      }
    same("split", threads, worst(dw, once), 0, 1e-11);
  }
  return failures;
}
