/* EZ0304: bytes of numbers are exchanged one by one. */
extern void __enzyme_autodiff(void *, ...);
__attribute__((noinline)) static void swap_bytes(volatile char *a, volatile char *b, int n) {
  for (int i = 0; i < n; i++) {
    char t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}
double f(double *x) {
  double a = x[0] * x[1], b = x[2] * x[2];
  swap_bytes((volatile char *)&a, (volatile char *)&b, sizeof a);
  return a * a * b;
}
int main(void) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  __enzyme_autodiff((void *)f, x, dx);
  return dx[0] != 162;
}
