#include <stddef.h>
struct handle;
typedef double evaluation(const struct handle *h, const double *x, size_t n);
struct handle {
    evaluation *evaluate;
    double scale;
};
struct kind {
    const char *name;
    evaluation *evaluate;
};
struct handle *make(const char *name, double scale);
void register_kind(const char *name, evaluation *evaluate);
double evaluate(const struct handle *h, const double *x, size_t n);
