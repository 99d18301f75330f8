extern double nowhere(double);
double unused(double x) { return nowhere(x); }
