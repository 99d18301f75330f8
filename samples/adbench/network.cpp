// A dense network: three layers of tanh, then a linear one whose softmax is compared with labels: the mean cross
// entropy of a batch. Derivatives: by all weights and biases.
#include "adbench.hpp"
#include <algorithm>

const std::vector<int> default_sizes = {8, 6, 10, 4}; // batch, inputs, hidden, classes

static constexpr int layers = 4;

// weights (one row for each input), then biases
static std::size_t parameters_of(const int *sizes, int layer) { return (sizes[layer] + 1) * sizes[layer + 1]; }

static void dense(int from, int to, const double *weights, const double *in, double *out) {
  const double *biases = weights + from * to;
  for (int j = 0; j < to; j++)
    out[j] = biases[j];
  for (int i = 0; i < from; i++) {
    const double value = in[i];
    for (int j = 0; j < to; j++)
      out[j] += value * weights[i * to + j];
  }
}

// What goes into each layer, one after the other, and at the end the scores of the classes.
static void forward(const int *sizes, const double *parameters, double *values) {
  for (int layer = 0; layer < layers - 1; layer++) {
    const int from = sizes[layer], to = sizes[layer + 1];
    dense(from, to, parameters, values, values + from);
    values += from, parameters += parameters_of(sizes, layer);
    for (int j = 0; j < to; j++)
      values[j] = std::tanh(values[j]);
  }
  const int from = sizes[layers - 1], to = sizes[layers];
  dense(from, to, parameters, values, values + from);
}

static int count(const int *sizes) {
  int sum = 0;
  for (int layer = 0; layer <= layers; layer++)
    sum += sizes[layer];
  return sum;
}

static double objective(int batch, const int *sizes, const double *parameters, const double *data, const int *labels) {
  const int all = count(sizes), inputs = sizes[0], classes = sizes[layers];
  double *values = new double[all], *scores = values + all - classes, sum = 0;
  for (int sample = 0; sample < batch; sample++) {
    for (int i = 0; i < inputs; i++)
      values[i] = data[sample * inputs + i];
    forward(sizes, parameters, values);
    sum += log_sum_exp(classes, scores) - scores[labels[sample]];
  }
  delete[] values;
  return sum / batch;
}

// `after` has the adjoints of what a layer gives, `before` gets those of what goes into it.
static void backward(int from, int to, const double *weights, double *d_weights, const double *in, double *before,
                     const double *after) {
#pragma clang fp reassociate(on)
  double *d_biases = d_weights + from * to;
  for (int j = 0; j < to; j++)
    d_biases[j] += after[j];
  for (int i = 0; i < from; i++) {
    double sum = 0;
    for (int j = 0; j < to; j++) {
      d_weights[i * to + j] += in[i] * after[j];
      sum += weights[i * to + j] * after[j];
    }
    before[i] = sum;
  }
}

// each sample goes back as soon as it is there
static void gradient_by_hand(int batch, const int *sizes, const double *parameters, double *d_parameters,
                             const double *data, const int *labels) {
  const int all = count(sizes), inputs = sizes[0], classes = sizes[layers];
  numbers values(all), adjoints(all);
  const double *scores = values.data() + all - classes;
  double *d_scores = adjoints.data() + all - classes;
  std::size_t size = 0;
  for (int layer = 0; layer < layers; layer++)
    size += parameters_of(sizes, layer);
  for (int sample = 0; sample < batch; sample++) {
    std::copy(data + sample * inputs, data + (sample + 1) * inputs, values.begin());
    forward(sizes, parameters, values.data());
    double sum = log_sum_exp(classes, scores);
    for (int j = 0; j < classes; j++)
      d_scores[j] = (std::exp(scores[j] - sum) - (j == labels[sample])) / batch;
    std::size_t start = size;
    for (int layer = layers - 1, at = all - classes; layer >= 0; layer--) {
      const int from = sizes[layer], to = sizes[layer + 1];
      start -= parameters_of(sizes, layer), at -= from;
      double *before = &adjoints[at];
      backward(from, to, parameters + start, d_parameters + start, &values[at], before, before + from);
      for (int i = 0; i < from; i++)
        before[i] *= 1 - values[at + i] * values[at + i];
    }
  }
}

struct network final : problem {
  int batch;
  std::vector<int> sizes, labels;
  numbers parameters, data;

  network(int batch, int inputs, int hidden, int classes)
      : batch(batch), sizes{inputs, hidden, hidden, hidden, classes}, labels(batch) {
    generator random;
    for (int layer = 0; layer < layers; layer++) {
      double range = 1 / std::sqrt(sizes[layer]);
      numbers more = random(parameters_of(sizes.data(), layer), -range, range);
      parameters.insert(parameters.end(), more.begin(), more.end());
    }
    data = random((std::size_t)batch * inputs, -1, 1);
    for (int &label : labels)
      label = random.next() % classes;
    result.resize(parameters.size());
  }
  double primal() override { return objective(batch, sizes.data(), parameters.data(), data.data(), labels.data()); }
  void derivative() override {
    result.assign(result.size(), 0);
    __enzyme_autodiff((void *)objective, enzyme_const, batch, enzyme_const, sizes.data(), enzyme_dup, parameters.data(),
                      result.data(), enzyme_const, data.data(), enzyme_const, labels.data());
  }
  void by_hand() override {
    result.assign(result.size(), 0);
    gradient_by_hand(batch, sizes.data(), parameters.data(), result.data(), data.data(), labels.data());
  }
};

problem *make_problem(const std::vector<int> &s) { return new network(s[0], s[1], s[2], s[3]); }
