/* What a checkpointed step does that cannot be run again, and is known only when it runs, ends the program with a
   message. */
#include <enzyme/enzyme.h>
#include "../check.h"
#include <sys/wait.h>
#include <unistd.h>

struct buffers {
  double *now, *next;
};
__attribute__((enzyme("checkpoint", 2))) static void swap(struct buffers *b) {
  *b->next = *b->now * 1.5;
  double *swap = b->now;
  b->now = b->next;
  b->next = swap;
}
static double swapping(double *x) {
  double y = 0;
  struct buffers b = {x, &y};
  for (int i = 0; i < 4; i++)
    swap(&b);
  return *b.now;
}

__attribute__((enzyme("checkpoint", 2))) static void follow(double **x) { **x *= 1.5; }
static double pointing_elsewhere(double *x) {
  double y = 3, *to = x;
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 4; i++)
      follow(&to);
    to = &y;
  }
  return *x * y;
}

static double *spare;
__attribute__((enzyme("checkpoint", 2))) static void use_up(double *x) {
  *x *= 1.5;
  free(spare);
  spare = NULL;
}
static double freeing(double *x) {
  spare = malloc(sizeof *spare);
  for (int i = 0; i < 4; i++)
    use_up(x);
  return *x;
}

__attribute__((enzyme("checkpoint", 2))) static void grow(double *x) {
  *x *= 1.5;
  if (*x > 4)
    spare = malloc(sizeof *spare);
}
static double allocating(double *x) {
  for (int i = 0; i < 4; i++)
    grow(x);
  return *x;
}

static void expect(void (*request)(double *, double *), const char *words) {
  int ends[2], status;
  char text[400] = {0};
  if (pipe(ends))
    exit(1);
  fflush(stdout);
  if (!fork()) {
    double x = 2, dx = 0;
    dup2(ends[1], 2);
    request(&x, &dx);
    exit(0);
  }
  wait(&status);
  if (read(ends[0], text, sizeof text - 1) < 0)
    exit(1);
  int right = WIFSIGNALED(status) && strstr(text, words);
  failures += !right;
  printf("%s %s", right ? "   ok" : "WRONG", text);
}

static int exponent;
static double halved(double x) { return frexp(x, &exponent); }
static double (*volatile half)(double) = halved;
__attribute__((enzyme("checkpoint", 2))) static void call(double *x) { *x = half(*x); }
static double calling(double *x) {
  for (int i = 0; i < 4; i++)
    call(x);
  return *x;
}

#define REQUEST(f)                                                                                                     \
  static void request_##f(double *x, double *dx) { __enzyme_autodiff((void *)f, x, dx); }
REQUEST(swapping)
REQUEST(pointing_elsewhere)
REQUEST(freeing)
REQUEST(allocating)
REQUEST(calling)

int main(void) {
  expect(request_swapping, "the checkpointed step swap follows a pointer that is not what it was");
  expect(request_pointing_elsewhere, "the checkpointed step follow follows a pointer that is not what it was");
  expect(request_freeing, "the checkpointed step use_up frees memory that it has not allocated itself");
  expect(request_allocating, "the checkpointed step grow allocates memory that it does not free");
  expect(request_calling, "the checkpointed step call calls a function through a pointer that cannot be watched");
  return failures;
}
