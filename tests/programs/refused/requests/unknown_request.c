/* EZ0214: a misspelt request is named, with what it should be. expect: did you mean __enzyme_autodiff? */
extern double __enzyme_autodif(void *, ...);
double f(double x) { return x * x; }
int main(void) { return __enzyme_autodif((void *)f, 3.0) != 6; }
