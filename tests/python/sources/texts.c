/* Functions with texts as arguments, and a model that is opened by name. */
#include <stdlib.h>
#include <string.h>

double powers(const char *method, const double *x, int n, char *scale) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += strcmp(method, "square") == 0 ? x[i] * x[i] : x[i];
  return sum * atof(scale);
}

struct model {
  double factor;
};

struct model *model_open(const char *name) {
  struct model *made = malloc(sizeof *made);
  made->factor = strlen(name);
  return made;
}

double model_value(const struct model *model, double x) { return model->factor * x * x; }
