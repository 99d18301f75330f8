/* Handles that a factory of another unit fills: the differentiated function names none of the functions it calls. */
#include "../../check.h"
#include "handle.h"

void use_alternating(void);
static struct handle *handle;
enum { N = 3 };

static double energy(double *x) { return evaluate(handle, x, N); }
/* the handle is made inside, with a number of the input in it */
static const char *name_inside;
static double made_inside(double *x) {
    struct handle *h = make(name_inside, x[2]);
    double s = evaluate(h, x, 2);
    free(h);
    return s;
}
static double own(const struct handle *h, const double *x, size_t n) { return x[0] * x[1] * x[n - 1] / h->scale; }
static void energy_gradient(double *x, double *g) { __enzyme_autodiff((void *)energy, enzyme_dup, x, g); }

int main(void) {
    const char *names[] = {"sum",   "squares",    "cubes", "sines",    "cosines", "exponentials",
                           "roots", "logarithms", "scaled", "products", "alternating"};
    use_alternating();
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        handle = make(names[k], 1.5);
        CHECK(energy, 0.3, 0.7, -0.4);
        free(handle);
        name_inside = names[k];
        CHECK(made_inside, 0.3, 0.7, 1.2);
    }
    handle = make("sum", 2);
    handle->evaluate = own;
    CHECK(energy, 0.3, 0.7, -0.4);

    /* a Hessian, from the gradient's gradient */
    handle->evaluate = make("cubes", 0)->evaluate;
    double x[N] = {0.3, 0.7, -0.4}, dx[N] = {0, 1, 0}, g[N] = {0}, dg[N] = {0};
    __enzyme_fwddiff((void *)energy_gradient, enzyme_dup, x, dx, enzyme_dup, g, dg);
    SAME(dg[0], 0);
    SAME(dg[1], 2 * 6 * 0.7);
    return failures;
}
