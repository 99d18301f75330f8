/* What the solver in C++ calls. */
double square(double x);
