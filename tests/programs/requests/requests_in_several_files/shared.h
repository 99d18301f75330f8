double shared(double x);
double slope_a(double x);
double slope_b(double x);
