// Long short-term memory (ADBench): the cross-entropy of a sequence of characters, each predicted from those before.
// A gate has one weight and one bias for each unit. Derivatives: by all weights and biases.
#include "adbench.hpp"

const std::vector<int> default_sizes = {2, 8, 14}; // layers, characters, units

// Parameters of a layer: weights of the four gates (forget, in, out, change), then their biases. After all layers: the
// weights of inputs, the weights of outputs, the biases of outputs.
static int parameter_count(int layers, int b) { return 8 * layers * b + 3 * b; }
static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

static void layer(int b, const double *w, double *hidden, double *cell, const double *input) {
  const double *bias = w + 4 * b;
  for (int i = 0; i < b; i++) {
    double forget = sigmoid(input[i] * w[i] + bias[i]);
    double in = sigmoid(hidden[i] * w[b + i] + bias[b + i]);
    double out = sigmoid(input[i] * w[2 * b + i] + bias[2 * b + i]);
    double change = std::tanh(hidden[i] * w[3 * b + i] + bias[3 * b + i]);
    cell[i] = cell[i] * forget + in * change;
    hidden[i] = out * std::tanh(cell[i]);
  }
}

static double objective(int layers, int count, int b, const double *parameters, const double *start,
                        const double *text) {
  numbers state(start, start + 2 * layers * b), x(b), guess(b);
  const double *ends = parameters + 8 * layers * b;
  double total = 0;
  for (int t = 0; t + 1 < count; t++) {
    for (int i = 0; i < b; i++)
      x[i] = text[t * b + i] * ends[i];
    const double *input = x.data();
    for (int l = 0; l < layers; l++) {
      double *hidden = &state[2 * l * b];
      layer(b, parameters + 8 * l * b, hidden, hidden + b, input);
      input = hidden;
    }
    double sum = 2;
    for (int i = 0; i < b; i++) {
      guess[i] = input[i] * ends[b + i] + ends[2 * b + i];
      sum += std::exp(guess[i]);
    }
    double norm = std::log(sum);
    for (int i = 0; i < b; i++)
      total += text[(t + 1) * b + i] * (guess[i] - norm);
  }
  return -total / ((count - 1) * b);
}

// Backpropagation through time: the gates and states of all steps are kept.
static void gradient_by_hand(int layers, int count, int b, const double *parameters, double *d_parameters,
                             const double *start, const double *text) {
  const int steps = count - 1, kept = 7 * b; // forget, in, out, change, cell, tanh of cell, hidden
  const double *ends = parameters + 8 * layers * b;
  double *d_ends = d_parameters + 8 * layers * b;
  numbers record((std::size_t)steps * layers * kept), guesses(steps * b), norms(steps), x(b);
  auto at = [&](int t, int l) { return &record[((std::size_t)t * layers + l) * kept]; };
  auto hidden_before = [&](int t, int l) { return t ? at(t - 1, l) + 6 * b : start + 2 * l * b; };
  auto cell_before = [&](int t, int l) { return t ? at(t - 1, l) + 4 * b : start + (2 * l + 1) * b; };
  auto set_input = [&](int t) {
    for (int i = 0; i < b; i++)
      x[i] = text[t * b + i] * ends[i];
  };
  for (int t = 0; t < steps; t++) {
    set_input(t);
    const double *input = x.data();
    for (int l = 0; l < layers; l++) {
      const double *w = parameters + 8 * l * b, *bias = w + 4 * b, *h = hidden_before(t, l), *c = cell_before(t, l);
      double *r = at(t, l);
      for (int i = 0; i < b; i++) {
        r[i] = sigmoid(input[i] * w[i] + bias[i]);
        r[b + i] = sigmoid(h[i] * w[b + i] + bias[b + i]);
        r[2 * b + i] = sigmoid(input[i] * w[2 * b + i] + bias[2 * b + i]);
        r[3 * b + i] = std::tanh(h[i] * w[3 * b + i] + bias[3 * b + i]);
        r[4 * b + i] = c[i] * r[i] + r[b + i] * r[3 * b + i];
        r[5 * b + i] = std::tanh(r[4 * b + i]);
        r[6 * b + i] = r[2 * b + i] * r[5 * b + i];
      }
      input = r + 6 * b;
    }
    double sum = 2;
    for (int i = 0; i < b; i++) {
      guesses[t * b + i] = input[i] * ends[b + i] + ends[2 * b + i];
      sum += std::exp(guesses[t * b + i]);
    }
    norms[t] = std::log(sum);
  }
  numbers d_state(2 * layers * b), d_input(b);
  double seed = -1. / (steps * b);
  for (int t = steps - 1; t >= 0; t--) {
    const double *gold = &text[(t + 1) * b], *top = at(t, layers - 1) + 6 * b;
    double golds = 0;
    for (int i = 0; i < b; i++)
      golds += gold[i];
    for (int i = 0; i < b; i++) {
      double d_guess = seed * (gold[i] - golds * std::exp(guesses[t * b + i] - norms[t]));
      d_ends[b + i] += d_guess * top[i];
      d_ends[2 * b + i] += d_guess;
      d_input[i] = d_guess * ends[b + i];
    }
    set_input(t);
    for (int l = layers - 1; l >= 0; l--) {
      const double *w = parameters + 8 * l * b, *r = at(t, l), *h = hidden_before(t, l), *c = cell_before(t, l);
      const double *input = l ? at(t, l - 1) + 6 * b : x.data();
      double *dw = d_parameters + 8 * l * b, *dbias = dw + 4 * b, *dh = &d_state[2 * l * b], *dc = dh + b;
      for (int i = 0; i < b; i++) {
        double f = r[i], in = r[b + i], out = r[2 * b + i], change = r[3 * b + i], u = r[5 * b + i];
        double d_hidden = dh[i] + d_input[i], d_cell = dc[i] + d_hidden * out * (1 - u * u);
        double d_forget = d_cell * c[i] * f * (1 - f), d_in = d_cell * change * in * (1 - in);
        double d_out = d_hidden * u * out * (1 - out), d_change = d_cell * in * (1 - change * change);
        dw[i] += d_forget * input[i], dbias[i] += d_forget;
        dw[b + i] += d_in * h[i], dbias[b + i] += d_in;
        dw[2 * b + i] += d_out * input[i], dbias[2 * b + i] += d_out;
        dw[3 * b + i] += d_change * h[i], dbias[3 * b + i] += d_change;
        dh[i] = d_in * w[b + i] + d_change * w[3 * b + i];
        dc[i] = d_cell * f;
        d_input[i] = d_forget * w[i] + d_out * w[2 * b + i];
      }
    }
    for (int i = 0; i < b; i++)
      d_ends[i] += d_input[i] * text[t * b + i];
  }
}

struct lstm final : problem {
  int layers, count, b;
  numbers parameters, start, text;

  lstm(int layers, int count, int b) : layers(layers), count(count), b(b) {
    generator random;
    parameters = random(parameter_count(layers, b), -0.5, 0.5);
    start = random(2 * layers * b, -0.5, 0.5);
    text.resize((std::size_t)count * b);
    for (int t = 0; t < count; t++)
      text[t * b + random.next() % b] = 1;
    result.resize(parameters.size());
  }
  double primal() override { return objective(layers, count, b, parameters.data(), start.data(), text.data()); }
  void derivative() override {
    result.assign(result.size(), 0);
    __enzyme_autodiff((void *)objective, enzyme_const, layers, enzyme_const, count, enzyme_const, b, enzyme_dup,
                      parameters.data(), result.data(), enzyme_const, start.data(), enzyme_const, text.data());
  }
  void by_hand() override {
    result.assign(result.size(), 0);
    gradient_by_hand(layers, count, b, parameters.data(), result.data(), start.data(), text.data());
  }
};

problem *make_problem(const std::vector<int> &s) { return new lstm(s[0], s[1], s[2]); }
