/* EZ0203: a truncation to a format that only the run tells.
 * expect: after optimisation it is still not a constant
 */
typedef double function(double);
extern function *__enzyme_truncate_op_func(function *, int, int);
static double square(double x) { return x * x; }
int main(int argc, char **argv) { return (int)__enzyme_truncate_op_func(square, 64, 31 + argc)(argc); }
