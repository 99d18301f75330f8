/* EZ0304: threads share shadows, and the function calls itself.
   flags: -fopenmp
   expect: threads share shadows (enzyme_shared), and add to them at the same time: a region calls power, which calls itself */
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_shared, enzyme_dup, enzyme_const;
double power(const double *w, int n) { return n ? w[n] * power(w, n - 1) : w[0]; }
int main(void) {
  double w[4] = {1, 2, 3, 4}, dw[4] = {0};
#pragma omp parallel for
  for (int i = 0; i < 4; i++)
    __enzyme_autodiff((void *)power, enzyme_shared, enzyme_dup, w, dw, enzyme_const, 3);
  return dw[0] != 0;
}
