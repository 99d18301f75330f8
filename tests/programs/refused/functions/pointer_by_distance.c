/* EZ0304: objects that keep their distances from each other: those of their shadows are others
   expect: reason: a pointer is made of another and of a distance in memory, which may be that of two objects (within one, */
#include "../../check.h"
#include <stdint.h>

struct object {
  intptr_t next;
  double value;
};

static double run(double *x) {
  struct object *objects[3];
  for (int i = 0; i < 3; i++) {
    objects[i] = malloc(sizeof *objects[i]);
    objects[i]->value = x[i];
  }
  for (int i = 0; i < 3; i++)
    objects[i]->next = (intptr_t)objects[(i + 1) % 3] - (intptr_t)objects[i];
  double s = 0;
  struct object *p = objects[0];
  for (int k = 0; k < 5; k++) {
    s = s * 0.5 + p->value * p->value;
    p = (struct object *)((intptr_t)p + p->next);
  }
  for (int i = 0; i < 3; i++)
    free(objects[i]);
  return s;
}

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
