/* EZ0202: the size of the tape's memory must be given. */
extern double __enzyme_augmentfwd(void *, ...);
extern int enzyme_tape;
double f(double x) { return x * x; }
int main(void) {
  double tape[100];
  return __enzyme_augmentfwd((void *)f, enzyme_tape, tape, 3.0) != 9;
}
