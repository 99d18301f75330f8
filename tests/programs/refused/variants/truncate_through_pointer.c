/* EZ0215: a truncated function calls through a function pointer.
 * expect: what a function pointer points to cannot be computed in another format
 */
typedef double function(double);
extern function *__enzyme_truncate_op_func(function *, int, int);
function *volatile chosen;
static double twice(double x) { return 2 * chosen(x); }
int main(int argc, char **argv) { return (int)__enzyme_truncate_op_func(twice, 64, 32)(argc); }
