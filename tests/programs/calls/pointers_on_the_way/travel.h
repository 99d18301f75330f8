/* Each route brings one function of the library to a call through a pointer. */
typedef double function(double);
struct plan { int kind; function *first; struct { function *inner; } nested; function *table[3]; union { function *either; long number; } u; };
struct base { int kind; function *first; };
enum { ROUTES = 15 };
struct plan *make(int route);
double evaluate(const struct plan *plan, int route, double x);
