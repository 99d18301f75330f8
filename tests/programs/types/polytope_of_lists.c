/* Vertices and edges begin alike and lie on intrusive lists, and a pointer to an element leads to either: their blocks
 * hold numbers and links at the same places. A link that is taken off its list, or that has none, leads to itself. */
#include "../check.h"
#include <stddef.h>

struct link {
  struct link *next, *prev;
};
#define ELEMENT                                                                                                        \
  int type;                                                                                                            \
  double distance, witness[2];                                                                                         \
  struct link list

struct element {
  ELEMENT;
};
struct vertex {
  ELEMENT;
  int id;
  double p[2];
  struct link edges;
};
struct edge {
  ELEMENT;
  struct vertex *vertex[2];
  struct link at_vertex[2];
};
struct polytope {
  struct link vertices, edges;
  struct element *nearest;
};
enum { VERTEX = 1, EDGE };

#define CONTAINER(l, T, member) ((T *)((char *)(l) - offsetof(T, member)))

static void empty(struct link *l) { l->next = l->prev = l; }
static void append(struct link *list, struct link *item) {
  item->prev = list->prev, item->next = list;
  list->prev->next = item, list->prev = item;
}
static void take(struct link *item) {
  item->next->prev = item->prev, item->prev->next = item->next;
  empty(item);
}

static void see(struct polytope *t, struct element *e) {
  if (!t->nearest || e->distance < t->nearest->distance)
    t->nearest = e;
}
NOINLINE static struct vertex *add_vertex(struct polytope *t, double x, double y, int id) {
  struct vertex *v = malloc(sizeof *v);
  v->type = VERTEX, v->id = id, v->p[0] = v->witness[0] = x, v->p[1] = v->witness[1] = y;
  v->distance = x * x + y * y;
  empty(&v->edges), append(&t->vertices, &v->list);
  see(t, (struct element *)v);
  return v;
}
NOINLINE static void add_edge(struct polytope *t, struct vertex *a, struct vertex *b) {
  struct edge *e = malloc(sizeof *e);
  double d[2] = {b->p[0] - a->p[0], b->p[1] - a->p[1]};
  double s = -(a->p[0] * d[0] + a->p[1] * d[1]) / (d[0] * d[0] + d[1] * d[1]);
  e->type = EDGE, e->vertex[0] = a, e->vertex[1] = b;
  e->witness[0] = a->p[0] + s * d[0], e->witness[1] = a->p[1] + s * d[1];
  e->distance = e->witness[0] * e->witness[0] + e->witness[1] * e->witness[1];
  append(&a->edges, &e->at_vertex[0]), append(&b->edges, &e->at_vertex[1]), append(&t->edges, &e->list);
  see(t, (struct element *)e);
}
NOINLINE static void remove_edge(struct polytope *t, struct edge *e) {
  take(&e->list), take(&e->at_vertex[0]), take(&e->at_vertex[1]);
  if (t->nearest == (struct element *)e) {
    t->nearest = NULL;
    for (struct link *l = t->edges.next; l != &t->edges; l = l->next)
      see(t, (struct element *)CONTAINER(l, struct edge, list));
    for (struct link *l = t->vertices.next; l != &t->vertices; l = l->next)
      see(t, (struct element *)CONTAINER(l, struct vertex, list));
  }
  free(e);
}
static void destroy(struct polytope *t) {
  while (t->edges.next != &t->edges) {
    struct edge *e = CONTAINER(t->edges.next, struct edge, list);
    take(t->edges.next);
    free(e);
  }
  while (t->vertices.next != &t->vertices) {
    struct vertex *v = CONTAINER(t->vertices.next, struct vertex, list);
    take(t->vertices.next);
    free(v);
  }
}

/* The distance of the origin from the border of an ellipse, by growing a polygon towards it. */
static double depth(double *x) {
  struct polytope t = {.nearest = NULL};
  struct vertex *v[3];
  empty(&t.vertices), empty(&t.edges);
  for (int i = 0; i < 3; i++)
    v[i] = add_vertex(&t, x[0] + (2 + x[1]) * cos(2.1 * i), 0.2 + (1 + x[2]) * sin(2.1 * i), i);
  for (int i = 0; i < 3; i++)
    add_edge(&t, v[i], v[(i + 1) % 3]);
  for (int id = 3; id < 7 && t.nearest->type == EDGE; id++) {
    struct edge *e = (struct edge *)t.nearest;
    double a = (2 + x[1]) * e->witness[0], b = (1 + x[2]) * e->witness[1], n = sqrt(a * a + b * b);
    struct vertex *from = e->vertex[0], *to = e->vertex[1];
    struct vertex *w = add_vertex(&t, x[0] + (2 + x[1]) * a / n, 0.2 + (1 + x[2]) * b / n, id);
    remove_edge(&t, e);
    add_edge(&t, from, w), add_edge(&t, w, to);
  }
  double r = sqrt(t.nearest->distance) + 0.1 * t.nearest->witness[0];
  for (struct link *l = v[0]->edges.next; l != &v[0]->edges; l = l->next) {
    struct edge *e = CONTAINER(l, struct edge, at_vertex[0]);
    r += e->vertex[0] == v[0] ? 0.01 * e->distance : 0;
  }
  destroy(&t);
  return r;
}

int main(void) {
  CHECK(depth, 0.3, 0.5, 0.2);
  return failures;
}
