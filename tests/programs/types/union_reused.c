/* Places that hold a pointer, then a number, then a pointer again. */
#include "../check.h"
union word { double d; double *p; };
struct stack { union word at[4]; int top; };
static void push_number(struct stack *s, double v) { s->at[s->top++ & 3].d = v; }
static void push_pointer(struct stack *s, double *v) { s->at[s->top++ & 3].p = v; }
static double pop_number(struct stack *s) { return s->at[--s->top & 3].d; }
static double pop_pointed(struct stack *s) { return *s->at[--s->top & 3].p; }
static double run(double *x) {
  struct stack st = {.top = 0};
  double s = 0, local = x[1] * x[0];
  for (int i = 0; i < 5; i++) {
    push_number(&st, x[0] * x[1] + s);
    push_pointer(&st, i & 1 ? x : &local);
    s += pop_pointed(&st) * x[2];
    s += sin(pop_number(&st));
    push_pointer(&st, i & 1 ? x : &local);
    push_number(&st, x[2] * s);
    s += sin(pop_number(&st));
    s += pop_pointed(&st) * s;
    st.top += i & 1;
  }
  return s;
}
int main(void) {
  CHECK(run, 0.5, 1.2, 0.3);
  return failures;
}
