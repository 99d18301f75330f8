/* EZ0208: forward mode is not done yet; its arguments would pass for those of a gradient. */
extern double __enzyme_fwddiff(void *, ...);
double f(double *x) { return *x * *x; }
int main(void) {
    double x = 3, dx = 1;
    return __enzyme_fwddiff((void *)f, &x, &dx) != 6;
}
