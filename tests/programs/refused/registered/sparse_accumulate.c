/* EZ0213: an attribute of Enzyme that would be ignored otherwise. expect: enzyme(sparse_accumulate) of put is not supported */
extern double __enzyme_autodiff(void *, ...);
static double entry;
__attribute__((enzyme_sparse_accumulate)) void put(long row, long column, double value) { entry += value * row * column; }
double f(double x) {
  put(1, 1, x);
  return x * x + entry;
}
int main(void) { return __enzyme_autodiff((void *)f, 3.0) != 7; }
