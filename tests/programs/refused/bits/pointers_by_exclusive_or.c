/* EZ0304: each node of a list stores the exclusive or of its neighbours' addresses
   expect: reason: a pointer is made of two, by exclusive or */
#include "../../check.h"
#include <stdint.h>

struct node {
  uintptr_t link;
  double value;
};

static double run(double *x) {
  struct node nodes[3], *before = NULL;
  for (int i = 0; i < 3; i++)
    nodes[i].value = x[i];
  nodes[0].link = (uintptr_t)&nodes[1];
  nodes[1].link = (uintptr_t)&nodes[0] ^ (uintptr_t)&nodes[2];
  nodes[2].link = (uintptr_t)&nodes[1];
  double s = 0;
  for (struct node *n = nodes; n;) {
    struct node *next = (struct node *)(n->link ^ (uintptr_t)before);
    s = s * 0.5 + n->value * n->value;
    before = n, n = next;
  }
  return s;
}

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
