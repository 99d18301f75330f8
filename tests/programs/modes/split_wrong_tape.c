/* A tape of another derivative, one used up, and memory too small (known at run time only) end the program with a
   message. */
#include "../check.h"
#include <sys/wait.h>
#include <unistd.h>

extern int enzyme_tape, enzyme_allocated;
extern void *__enzyme_augmentfwd(void *, ...);
extern double __enzyme_augmentfwd_placed(void *, ...);
extern double __enzyme_reverse(void *, ...);

static double f(double x, double y) { return x * y; }

static void other_activity(void) {
  void *tape = __enzyme_augmentfwd((void *)f, 2.0, 3.0);
  __enzyme_reverse((void *)f, 2.0, enzyme_const, 3.0, tape);
}

static void used_up(void) {
  static double memory[100];
  __enzyme_augmentfwd_placed((void *)f, enzyme_allocated, sizeof memory, enzyme_tape, memory, 2.0, enzyme_const, 3.0);
  __enzyme_reverse((void *)f, 2.0, enzyme_const, 3.0, memory);
  __enzyme_reverse((void *)f, 2.0, enzyme_const, 3.0, memory);
}

static volatile int bytes = 8;
static void too_small(void) {
  static double memory[100];
  __enzyme_augmentfwd_placed((void *)f, enzyme_allocated, bytes, enzyme_tape, memory, 2.0, enzyme_const, 3.0);
}

static double use_few_bytes(int few) {
  static double memory[100];
  __enzyme_augmentfwd_placed((void *)f, enzyme_allocated, sizeof memory, enzyme_tape, memory, 2.0, enzyme_const, 3.0);
  return __enzyme_reverse((void *)f, enzyme_allocated, few, enzyme_tape, memory, 2.0, enzyme_const, 3.0);
}
static void too_small_in_reverse(void) { use_few_bytes(bytes + 1); }

static void no_tape(void) { __enzyme_reverse((void *)f, 2.0, enzyme_const, 3.0, (void *)0); }

static void expect(void (*action)(void), const char *words) {
  int ends[2], status;
  char text[400] = {0};
  if (pipe(ends))
    exit(1);
  fflush(stdout);
  if (!fork()) {
    dup2(ends[1], 2);
    action();
    exit(0);
  }
  wait(&status);
  if (read(ends[0], text, sizeof text - 1) < 0)
    exit(1);
  int right = WIFSIGNALED(status) && strstr(text, words);
  failures += !right;
  printf("%s %s", right ? "   ok" : "WRONG", text);
}

int main(void) {
  expect(other_activity, "for f(out, const, result active): it is for f(out, out, result active)");
  expect(used_up, "used up");
  expect(too_small, "8 bytes (enzyme_allocated), and ");
  expect(too_small_in_reverse, "9 bytes (enzyme_allocated), and ");
  SAME(use_few_bytes(100 * bytes), 3);
  expect(no_tape, "null");
  return failures;
}
