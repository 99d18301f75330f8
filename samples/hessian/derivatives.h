#include "model.h"

void gradient(const double *parameters, double *g);
void hessian(const double *parameters, double *g, double h[N][N]);
