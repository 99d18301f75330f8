/* Which conductivity explains the observed temperatures? The gradient of the misfit with respect to the conductivity of
   every cell and to every starting temperature, beside central differences. */
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CELLS = 24, STEPS = 60, UNKNOWNS = 2 * CELLS };

/* solver.f90 */
double heat_misfit(int cells, int steps, const double *conductivity, double *temperature, const double *observed);

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

static double observed[CELLS];

/* The unknowns: conductivities, then starting temperatures. */
static void fill(double *unknowns) {
    for (int i = 0; i < CELLS; i++) {
        unknowns[i] = 1 + 0.5 * sin(0.7 * i);
        unknowns[CELLS + i] = exp(-0.1 * (i - 8) * (i - 8));
        observed[i] = 0.2 + 0.01 * i;
    }
}

static double misfit(const double *unknowns) {
    double temperature[CELLS];
    memcpy(temperature, unknowns + CELLS, sizeof temperature);
    return heat_misfit(CELLS, STEPS, unknowns, temperature, observed);
}

static void gradient(const double *unknowns, double *result) {
    double temperature[CELLS];
    memcpy(temperature, unknowns + CELLS, sizeof temperature);
    memset(result, 0, UNKNOWNS * sizeof *result);
    __enzyme_autodiff((void *)heat_misfit, enzyme_const, CELLS, enzyme_const, STEPS, enzyme_dup, unknowns, result,
                      enzyme_dup, temperature, result + CELLS, enzyme_const, observed);
}

static double difference(double *unknowns, int i) {
    double keep = unknowns[i], h = 1e-5;
    unknowns[i] = keep + h;
    double above = misfit(unknowns);
    unknowns[i] = keep - h;
    double below = misfit(unknowns);
    unknowns[i] = keep;
    return (above - below) / (2 * h);
}

int main(void) {
    double unknowns[UNKNOWNS], result[UNKNOWNS];
    int wrong = 0;
    fill(unknowns);
    gradient(unknowns, result);
    printf("with respect to          gradient   central difference\n");
    for (int i = 0; i < UNKNOWNS; i++) {
        double expected = difference(unknowns, i);
        int agrees = fabs(result[i] - expected) <= 1e-7 * (1 + fabs(expected));
        wrong += !agrees;
        printf("%12s(%2d) %+16.10f %+20.10f%s\n", i < CELLS ? "conductivity" : "temperature", i % CELLS + 1, result[i],
               expected, agrees ? "" : "  DISAGREES");
    }
    return wrong != 0;
}
