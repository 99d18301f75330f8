#include <stdlib.h>
void *augmented(double *x, double *dx) { double *t = malloc(8); *t = *x; *x *= *x * *x; return t; }
void reverse(double *x, double *dx, void *t) { *dx *= 3 * *(double *)t * *(double *)t; free(t); }
