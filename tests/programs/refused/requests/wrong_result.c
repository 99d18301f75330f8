/* EZ0205: three derivatives do not fit into the declared result. */
struct two {
  double a, b;
};
extern struct two __enzyme_autodiff(void *, ...);
double f(double x, double y, double z) { return x * y * z; }
int main(void) { return __enzyme_autodiff((void *)f, 2.0, 3.0, 4.0).a != 12; }
