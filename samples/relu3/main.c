/* The derivative of relu3, beside central differences. */
#include <math.h>
#include <stdio.h>

double relu3(double x);
extern double __enzyme_autodiff(void *, double);

double gradient(double x) { return __enzyme_autodiff((void *)relu3, x); }

static double difference(double x) {
    double h = 1e-5;
    return (relu3(x + h) - relu3(x - h)) / (2 * h);
}

int main(void) {
    int wrong = 0;
    printf("   x    derivative   central difference\n");
    for (int i = -4; i <= 4; i++) {
        double x = 0.5 * i, result = gradient(x), expected = difference(x);
        int agrees = fabs(result - expected) <= 1e-8 * (1 + fabs(expected));
        wrong += !agrees;
        printf("%+.1f %13.10f %15.10f%s\n", x, result, expected, agrees ? "" : "   DISAGREES");
    }
    return wrong != 0;
}
