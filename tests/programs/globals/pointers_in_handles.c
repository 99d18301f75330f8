/* Handles that main made: the function stores addresses of its data in them, and reads these back, as solvers of
 * libraries do with the data of a callback. Handles are copied, lists are linked, a table of pointers grows. */
#include "../check.h"
#include <stdint.h>

typedef double (*callback)(double v, void *data);
struct handle {
  callback f;
  void *data;
  double scale;
  struct handle *next;
};
static struct handle *solver, *other, *list;
static double **table;
static int room;

static double product(double v, void *data) { return v * ((double *)data)[0] * sin(((double *)data)[1]); }

NOINLINE static void set(struct handle *h, callback f, void *data) { h->f = f, h->data = data; }
NOINLINE static double run(const struct handle *h, double v) {
  double s = 0;
  for (int i = 1; i < 4; i++)
    s += h->f(v * i, h->data) * h->scale;
  return s;
}
static double in_callback(double *x) {
  set(solver, product, x);
  return run(solver, x[2]);
}
static double changed(double *x) {
  double own[2] = {x[2], x[0]}, s = 0;
  for (int i = 0; i < 3; i++) {
    set(solver, product, i % 2 ? own : x);
    s += run(solver, x[1]) * (i + 1);
  }
  return s;
}

/* what the last call left in the handle is a constant of this one */
static double left[2] = {0.3, 0.7};
static double not_set(double *x) { return run(other, x[0]); }

/* by memcpy into a local variable, and into another handle */
static double copied(double *x) {
  struct handle own;
  set(solver, product, x);
  memcpy(&own, solver, sizeof own);
  memcpy(other, solver, sizeof own);
  double s = run(&own, x[1]) + 2 * run(other, x[2]);
  set(other, product, left);
  return s;
}

NOINLINE static void push(struct handle *node) { node->next = list->next, list->next = node; }
static double linked(double *x) {
  struct handle *before = list->next, nodes[3];
  double s = 0;
  for (int i = 0; i < 3; i++) {
    nodes[i].scale = x[i] * x[i];
    push(&nodes[i]);
  }
  for (struct handle *node = list->next; node; node = node->next)
    s = s * 0.5 + sin(node->scale);
  list->next = before;
  return s;
}

NOINLINE static void keep(int n) {
  if (n > room)
    table = realloc(table, n * sizeof *table), room = n;
}
static double grown(double *x) {
  double s = 0;
  table[0] = x;
  keep(room + 50);
  table[1] = x + 1;
  for (int i = 0; i < 2; i++)
    s += table[i][0] * table[i][1];
  return s;
}

/* as integers, beside each other, by struct, and by copies of local variables */
struct pair {
  double *a, *b;
};
static struct holder {
  uintptr_t place, second;
  struct pair pair, pairs[2];
  double *many[8];
} *holder;

NOINLINE static void set_place(double *p) { holder->place = (uintptr_t)p; }
NOINLINE static double at_place(void) { return *(double *)holder->place; }
static double as_integers(double *x) {
  double s = 0;
  for (int i = 0; i < 3; i++) {
    set_place(x + i);
    holder->second = holder->place;
    s = s * x[0] + sin(at_place()) * *(double *)holder->second;
  }
  return s;
}

NOINLINE static void put_pair(struct pair p, int k) { holder->pairs[k] = p; }
NOINLINE static struct pair take_pair(int k) { return holder->pairs[k]; }
NOINLINE static double of_pair(struct pair p) { return *p.a * sin(*p.b); }
static double as_structs(double *x) {
  double s = 0;
  for (int i = 0; i < 2; i++)
    put_pair((struct pair){x + i, x + i + 1}, i);
  holder->pair = take_pair(0);
  holder->pairs[0] = (struct pair){holder->pair.b, holder->pair.a};
  for (int i = 0; i < 2; i++)
    s = s * x[0] + of_pair(take_pair(i));
  return s + of_pair(holder->pair);
}

NOINLINE static void copy_in(double **to, double **from, int n) { memcpy(to, from, n * sizeof *to); }
static double copied_in(double *x) {
  double *own[3], s = 0;
  for (int i = 0; i < 3; i++)
    own[i] = x + 2 - i;
  copy_in(holder->many, own, 3);
  memmove(holder->many + 1, holder->many, sizeof own);
  for (int i = 0; i < 4; i++)
    s = s * x[1] + sin(*holder->many[i]);
  return s;
}

static struct handle *make(int argc) {
  struct handle *made = calloc(argc, sizeof *made);
  made->scale = 1.5;
  return made;
}

static struct holder *make_holder(int argc) { return calloc(argc, sizeof *holder); }

int main(int argc, char **argv) {
  solver = make(argc), other = make(argc), list = make(argc);
  holder = make_holder(argc);
  table = malloc((room = argc + 1) * sizeof *table);
  set(other, product, argv ? left : NULL);
  CHECK(in_callback, 0.7, 1.3, 0.4);
  CHECK(changed, 0.7, 1.3, 0.4);
  CHECK(not_set, 0.7, 1.3, 0.4);
  CHECK(copied, 0.7, 1.3, 0.4);
  CHECK(not_set, 0.7, 1.3, 0.4);
  CHECK(linked, 0.7, 1.3, 0.4);
  CHECK(grown, 0.7, 1.3, 0.4);
  CHECK(as_integers, 0.7, 1.3, 0.4);
  CHECK(as_structs, 0.7, 1.3, 0.4);
  CHECK(copied_in, 0.7, 1.3, 0.4);
  return failures;
}
