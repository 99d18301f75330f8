/* A library with state: in a variable that it exports, in local ones, in hidden ones of another file. */
static double calls;
double scale = 2.0;
__attribute__((visibility("hidden"))) double wave(double x);
static double (*other)(double);
static double twice(double x) { return 2 * x; }
void set_up(void) { other = twice, scale = 3.0; }
double calls_so_far(void) { return calls; }
double model(double x) {
  calls += 1;
  return scale * wave(x) + (other ? other(x) : 0) + calls * x;
}
