/* EZ0202: how large the tape's memory is must be said. */
extern double __enzyme_augmentfwd(void *, ...);
extern int enzyme_tape;
double f(double x) { return x * x; }
int main(void) {
  double tape[100];
  return __enzyme_augmentfwd((void *)f, enzyme_tape, tape, 3.0) != 9;
}
