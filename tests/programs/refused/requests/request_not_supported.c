/* EZ0208: Enzyme has the request. expect: the request __enzyme_set_checkpointing is not supported */
extern double __enzyme_set_checkpointing(void *, ...);
double f(double x) { return x * x; }
int main(void) { return __enzyme_set_checkpointing((void *)f, 64) != 9; }
