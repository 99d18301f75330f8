/* Pointers with tags: in their low or high bits, from constants and variables, set with the pointer or later. */
#include "../check.h"
#include <stddef.h>
#include <stdint.h>

typedef struct Node {
  double value;
  uintptr_t next;
  int colour;
} Node;

static Node *make(const double *x) {
  Node *n = malloc(4 * sizeof *n);
  for (int i = 0; i < 4; i++)
    n[i] = (Node){x[i], 0, (i * 3) & 1};
  return n;
}

static double sum(Node *n) {
  double s = 0;
  for (uintptr_t p = (uintptr_t)n; p;) {
    Node *q = (Node *)(p & ~(uintptr_t)7);
    s += (double)((p & 7) + 1) * sin(q->value);
    p = q->next;
  }
  free(n);
  return s;
}

static double by_variable(double *x) {
  Node *n = make(x);
  for (int i = 0; i < 3; i++)
    n[i].next = (uintptr_t)&n[i + 1] | n[i].colour;
  return sum(n);
}

NOINLINE static uintptr_t tagged(void *p, unsigned tag) { return (uintptr_t)p | tag; }
static double by_call(double *x) {
  Node *n = make(x);
  for (int i = 0; i < 3; i++)
    n[i].next = tagged(&n[i + 1], n[i].colour);
  return sum(n);
}

static double set_later(double *x) {
  Node *n = make(x);
  for (int i = 0; i < 3; i++)
    n[i].next = (uintptr_t)&n[i + 1];
  for (int i = 0; i < 3; i++)
    n[i].next = i == 1 ? n[i].next | 2 : (n[i].next & ~(uintptr_t)3) | n[i].colour;
  n[0].next ^= 1;
  return sum(n);
}

static double kept(double *x) {
  Node *n = make(x);
  for (int i = 0; i < 3; i++)
    n[i].next = i & 1;
  for (int i = 0; i < 3; i++)
    n[i].next = (n[i].next & 1) | (uintptr_t)&n[i + 1];
  return sum(n);
}

static double in_high_bits(double *x) {
  double s = 0;
  Node *n = make(x);
  for (int i = 0; i < 3; i++)
    n[i].next = (uintptr_t)&n[i + 1] | (uintptr_t)(n[i].colour + 1) << 48;
  for (uintptr_t p = (uintptr_t)n; p;) {
    Node *q = (Node *)(p & 0xffffffffffff);
    s += (double)((p >> 48) + 1) * sin(q->value);
    p = q->next;
  }
  free(n);
  return s;
}

static double below_address(double *x) {
  double s = 0;
  Node *n = make(x);
  for (int i = 0; i < 3; i++)
    n[i].next = (uintptr_t)&n[i + 1] << 16 | n[i].colour;
  for (uintptr_t p = (uintptr_t)n << 16; p;) {
    Node *q = (Node *)(p >> 16);
    s += (double)((p & 7) + 1) * sin(q->value);
    p = q->next;
  }
  free(n);
  return s;
}

/* A red-black tree as in Linux: the colour lies in the pointer to the parent. */
typedef struct Tree {
  uintptr_t parent_and_colour;
  struct Tree *child[2];
} Tree;
typedef struct {
  double key, value;
  Tree tree;
} Entry;

#define ENTRY(t) ((Entry *)((char *)(t)-offsetof(Entry, tree)))
static Tree *parent(const Tree *t) { return (Tree *)(t->parent_and_colour & ~(uintptr_t)3); }
static int is_red(const Tree *t) { return t && (t->parent_and_colour & 1) == 0; }
static void set_parent(Tree *t, Tree *p) { t->parent_and_colour = (t->parent_and_colour & 3) | (uintptr_t)p; }
static void set_colour(Tree *t, int is_black) { t->parent_and_colour = (t->parent_and_colour & ~(uintptr_t)1) | is_black; }

static void rotate(Tree **root, Tree *t, int side) {
  Tree *other = t->child[!side], *above = parent(t);
  t->child[!side] = other->child[side];
  if (other->child[side])
    set_parent(other->child[side], t);
  other->child[side] = t;
  set_parent(other, above);
  set_parent(t, other);
  if (above)
    above->child[above->child[1] == t] = other;
  else
    *root = other;
}

static void insert(Tree **root, Entry *e) {
  Tree **place = root, *above = NULL;
  while (*place) {
    above = *place;
    place = &above->child[e->key > ENTRY(above)->key];
  }
  e->tree = (Tree){(uintptr_t)above, {NULL, NULL}};
  *place = &e->tree;
  for (Tree *t = &e->tree; is_red(parent(t));) {
    Tree *p = parent(t), *top = parent(p);
    int side = top->child[1] == p;
    Tree *uncle = top->child[!side];
    if (is_red(uncle)) {
      set_colour(p, 1), set_colour(uncle, 1), set_colour(top, 0);
      t = top;
      continue;
    }
    if (p->child[!side] == t) {
      rotate(root, p, side);
      t = p, p = parent(t);
    }
    set_colour(p, 1), set_colour(top, 0);
    rotate(root, top, !side);
  }
  set_colour(*root, 1);
}

static double visit(const Tree *t, double weight) {
  if (!t)
    return 0;
  double own = ENTRY(t)->value * sin(weight * ENTRY(t)->key) * (is_red(t) ? 0.5 : 1);
  return visit(t->child[0], weight * 0.9) + own + visit(t->child[1], weight + 0.3);
}

static double red_black(double *x) {
  Entry entries[12];
  Tree *root = NULL;
  for (int i = 0; i < 12; i++) {
    entries[i].key = x[i & 3] + i * 5 % 7;
    entries[i].value = x[(i + 1) & 3] * (i + 1);
    insert(&root, &entries[i]);
  }
  return visit(root, x[0]);
}

int main(void) {
  CHECK(by_variable, 0.5, 1.2, 0.6, 0.7);
  CHECK(by_call, 0.5, 1.2, 0.6, 0.7);
  CHECK(set_later, 0.5, 1.2, 0.6, 0.7);
  CHECK(kept, 0.5, 1.2, 0.6, 0.7);
  CHECK(in_high_bits, 0.5, 1.2, 0.6, 0.7);
  CHECK(below_address, 0.5, 1.2, 0.6, 0.7);
  CHECK(red_black, 0.5, 1.2, 0.65, 0.73);
  return failures;
}
