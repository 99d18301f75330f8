/* A list built from the inputs, walked, reversed and freed. */
#include "../check.h"

struct node {
  double v;
  struct node *next;
};

static double list(double *x) {
  struct node *head = NULL;
  for (int i = 0; i < 4; i++) {
    struct node *n = malloc(sizeof *n);
    n->v = x[i] * x[i];
    n->next = head;
    head = n;
  }
  double s = 0, p = 1;
  for (struct node *n = head; n; n = n->next) {
    s += p * n->v;
    p *= n->v;
  }
  struct node *reversed = NULL;
  while (head) {
    struct node *next = head->next;
    head->next = reversed;
    reversed = head;
    head = next;
  }
  for (int i = 1; reversed; i++) {
    struct node *next = reversed->next;
    s += reversed->v * i;
    free(reversed);
    reversed = next;
  }
  return s;
}

int main(void) {
  CHECK(list, 1.1, 0.5, -1.3, 0.4);
  return failures;
}
