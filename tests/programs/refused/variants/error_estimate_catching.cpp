/* EZ0215: an estimate of the error of a function that catches an exception.
 * expect: the rounding error of code that throws and catches is not known
 */
extern double __enzyme_error_estimate(void *, ...);
static double limited(double x) {
  try {
    if (x > 1)
      throw x / 3;
    return x;
  } catch (double y) {
    return y * 2;
  }
}
int main(int argc, char **argv) { return (int)__enzyme_error_estimate((void *)limited, (double)argc, 0.0); }
