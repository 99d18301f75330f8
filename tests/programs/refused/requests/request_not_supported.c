/* EZ0208: Enzyme has the request. expect: the request __enzyme_truncate_mem_func is not supported */
extern double (*__enzyme_truncate_mem_func(void *, ...))(double);
double f(double x) { return x * x; }
int main(void) { return __enzyme_truncate_mem_func((void *)f, 64, 32)(3.0) != 9; }
