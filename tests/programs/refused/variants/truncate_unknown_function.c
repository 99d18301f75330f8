/* EZ0215: a truncated function calls one without bitcode.
 * flags: -Wl,--unresolved-symbols=ignore-all
 * expect: outside cannot be computed in another format
 */
typedef double function(double);
extern function *__enzyme_truncate_mem_func(function *, int, int);
extern double outside(double);
static double shifted(double x) { return x + outside(x); }
int main(int argc, char **argv) { return (int)__enzyme_truncate_mem_func(shifted, 64, 32)(argc); }
