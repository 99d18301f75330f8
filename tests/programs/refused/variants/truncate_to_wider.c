/* EZ0203: a truncation to a format that is wider than the type.
 * expect: the format is wider than the type
 */
typedef double function(double);
extern function *__enzyme_truncate_op_func(function *, int, int, int);
static double square(double x) { return x * x; }
int main(int argc, char **argv) { return (int)__enzyme_truncate_op_func(square, 32, 8, 30)(argc); }
