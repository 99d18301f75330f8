/* EZ0209: the size that the second half is given must suffice too.
   expect: 1 bytes are too few for the tape of f
   expect: 2 bytes are too few for the tape of f */
extern double __enzyme_augmentfwd(void *, ...);
extern double __enzyme_reverse(void *, ...);
extern double __enzyme_fwdsplit(void *, ...);
extern int enzyme_allocated, enzyme_tape, enzyme_nofree;
double f(double x) { return x * x; }
int main(void) {
  double tape[100];
  double v = __enzyme_augmentfwd((void *)f, enzyme_allocated, sizeof tape, enzyme_tape, tape, 3.0);
  v += __enzyme_fwdsplit((void *)f, enzyme_nofree, enzyme_allocated, 2, enzyme_tape, tape, 3.0, 1.0);
  return v + __enzyme_reverse((void *)f, enzyme_allocated, 1, enzyme_tape, tape, 3.0) != 21;
}
