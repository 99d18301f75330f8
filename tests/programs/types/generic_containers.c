/* A vector of elements of any size behind void pointers, a hash table of numbers by names, a ring of callbacks. */
#include "../check.h"

struct vector {
  char *data;
  size_t size, count, room;
};

static void *add(struct vector *v, const void *element) {
  if (v->count == v->room)
    v->data = realloc(v->data, (v->room = v->room * 2 + 2) * v->size);
  return memcpy(v->data + v->count++ * v->size, element, v->size);
}
static void *at(const struct vector *v, size_t i) { return v->data + i * v->size; }

struct entry {
  const char *name;
  double value;
  struct entry *next;
};
struct table {
  struct entry *bucket[4];
};

NOINLINE static double *find(struct table *t, const char *name) {
  unsigned h = 0;
  for (const char *p = name; *p; p++)
    h = h * 31 + (unsigned char)*p;
  struct entry **e = &t->bucket[h % 4];
  while (*e && strcmp((*e)->name, name))
    e = &(*e)->next;
  if (!*e) {
    *e = calloc(1, sizeof **e);
    (*e)->name = name;
  }
  return &(*e)->value;
}

static double run(double *x) {
  struct vector v = {.size = sizeof(double)};
  struct table t = {{NULL}};
  for (int i = 0; i < 5; i++) {
    double d = x[i % 3] * (i + 1);
    add(&v, &d);
    *find(&t, i & 1 ? "odd" : i & 2 ? "two" : "even") += *(double *)at(&v, v.count - 1) * x[0];
  }
  double s = *find(&t, "odd") * *find(&t, "even") + *find(&t, "two") * *(double *)at(&v, 2);
  for (int i = 0; i < 4; i++)
    while (t.bucket[i]) {
      struct entry *e = t.bucket[i];
      t.bucket[i] = e->next;
      free(e);
    }
  free(v.data);
  return s;
}

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
