/* A checkpointed step in Fortran; that it is one is said in C. */
#include "../../check.h"

extern void advance(void);
extern double simulate(double *);
void *__enzyme_register_checkpoint_advance[] = {advance, (void *)3};

int main(void) {
  CHECK(simulate, 0.3, 0.5, -0.2, 0.7);
  return failures;
}
