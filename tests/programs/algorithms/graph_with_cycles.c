/* A graph whose nodes refer to each other in circles, relaxed until it converges, and freed. */
#include "../check.h"

struct edge {
  struct node *to;
  double weight;
  struct edge *next;
};
struct node {
  double value, next_value;
  struct edge *edges;
  struct node *following;
};

NOINLINE static struct node *add_node(struct node **list, double value) {
  struct node *n = malloc(sizeof *n);
  *n = (struct node){value, 0, NULL, *list};
  return *list = n;
}

NOINLINE static void connect(struct node *from, struct node *to, double weight) {
  struct edge *e = malloc(sizeof *e);
  *e = (struct edge){to, weight, from->edges};
  from->edges = e;
}

static double relax(struct node *list) {
  double change = 0;
  for (struct node *n = list; n; n = n->following) {
    n->next_value = n->value / 2;
    for (struct edge *e = n->edges; e; e = e->next)
      n->next_value += e->weight * e->to->value * 0.2;
    change += fabs(n->next_value - n->value);
  }
  for (struct node *n = list; n; n = n->following)
    n->value = n->next_value;
  return change;
}

static double run(double *x) {
  struct node *list = NULL, *a = add_node(&list, x[0]), *b = add_node(&list, x[1]), *c = add_node(&list, x[2]);
  connect(a, b, x[1]), connect(b, c, x[2]), connect(c, a, x[0]), connect(a, a, 0.3), connect(b, a, x[0] * x[1]);
  for (int i = 0; i < 40 && relax(list) > 0.05; i++)
    ;
  double s = a->value * b->value + c->value;
  while (list) {
    struct node *n = list;
    list = n->following;
    while (n->edges) {
      struct edge *e = n->edges;
      n->edges = e->next;
      free(e);
    }
    free(n);
  }
  return s;
}

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
