/* __enzyme_virtualreverse of functions without numbers; halves that return nothing, with a tape in given memory. */
#include "../check.h"

extern void *__enzyme_virtualreverse(void *);
extern void __enzyme_augmentfwd_in_place(void *, ...);
extern void __enzyme_reverse_in_place(void *, ...);
extern int enzyme_allocated, enzyme_tape;

static int calls;
static int count(int n) { return calls += n; }
static void note(int n) { calls -= n; }
static void square(double *x) { x[1] = x[0] * x[0]; }

int main(void) {
  struct {
    void *(*augmented)(int);
    void (*reverse)(int, void *);
  } *of_note = __enzyme_virtualreverse((void *)note);
  void *tape = of_note->augmented(3);
  SAME(calls, -3);
  of_note->reverse(3, tape);
  SAME(calls, -3);

  struct counted {
    void *tape;
    int value;
  };
  struct {
    struct counted (*augmented)(int);
    void (*reverse)(int, void *);
  } *of_count = __enzyme_virtualreverse((void *)count);
  struct counted counted = of_count->augmented(5);
  SAME(counted.value, 2);
  of_count->reverse(5, counted.tape);

  struct {
    void *(*augmented)(double *, double *);
    void (*reverse)(double *, double *, void *);
  } *of_square = __enzyme_virtualreverse((void *)square);
  double x[2] = {3, 0}, dx[2] = {0, 1};
  of_square->reverse(x, dx, of_square->augmented(x, dx));
  SAME(dx[0], 6);

  _Alignas(16) char memory[256];
  dx[1] = 2;
  __enzyme_augmentfwd_in_place((void *)square, enzyme_allocated, sizeof memory, enzyme_tape, memory, enzyme_dup, x, dx);
  __enzyme_reverse_in_place((void *)square, enzyme_allocated, sizeof memory, enzyme_tape, memory, enzyme_dup, x, dx);
  SAME(dx[0], 18);
  return failures;
}
