/* A unit without requests: --enzyme-truncate is about the whole program. */
double step(double x, double h) { return x + h * (x - x * x / 3); }
