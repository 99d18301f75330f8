/* EZ0209: 8 bytes are too few, which is known at link time; the message names both sizes. */
extern double __enzyme_augmentfwd(void *, ...);
extern double __enzyme_reverse(void *, ...);
extern int enzyme_allocated, enzyme_tape;
double f(double x) { return x * x; }
int main(void) {
  double tape[1];
  double v = __enzyme_augmentfwd((void *)f, enzyme_allocated, sizeof tape, enzyme_tape, tape, 3.0);
  return v + __enzyme_reverse((void *)f, 3.0, tape) != 15;
}
