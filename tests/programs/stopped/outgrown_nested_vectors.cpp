/* expect: the shadow of a container is too small
 *
 * A plain call makes vectors in a vector grow. The shadow was made before it. What fits before is right. */
#include <vector>

double __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_out, enzyme_const;

struct network {
  std::vector<std::vector<double>> layers = std::vector<std::vector<double>>(2, std::vector<double>(3));
};

static double f(network *net, double x, int n) {
  double sum = 0;
  for (std::vector<double> &layer : net->layers) {
    layer.clear();
    for (int i = 0; i < n; i++)
      layer.push_back(x * i);
    for (int i = 0; i < n; i++)
      sum += layer[i] * layer[i];
  }
  return sum;
}

static double derivative(network *net, network *shadow, int n) {
  return __enzyme_autodiff((void *)f, enzyme_dup, net, shadow, enzyme_out, 2.0, enzyme_const, n);
}

int main() {
  network net, shadow;
  if (derivative(&net, &shadow, 3) != 40)
    return 0;
  f(&net, 2.0, 20);
  network fits = net;
  for (std::vector<double> &layer : fits.layers) {
    layer.assign(layer.capacity(), 0);
    layer.clear();
  }
  if (derivative(&net, &fits, 20) != 19760)
    return 0;
  derivative(&net, &shadow, 20);
}
