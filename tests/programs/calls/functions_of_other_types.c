/* Functions are stored in members of struct types whose pointers are of another type: machine code does not mind.
 * Without optimisation, nothing tells which functions these are. */
#include "../check.h"

struct item {
  double value;
  int key;
};
struct set {
  unsigned char (*equal)(const void *, const void *); /* item_equal returns int */
  void (*visit)(void *, double);                      /* count_item returns what it has counted */
  double (*weight)(const void *, int);                /* plain_weight takes one argument */
  struct item items[8];
  int count;
};

#ifdef __OPTIMIZE__
static int item_equal(struct item *a, struct item *b) { return 256 * 7 + (a->key == b->key); }
static double count_item(double *sum, double by) { return *sum += by; }
static double plain_weight(struct item *item) { return item->value * item->value; }
#else
static unsigned char item_equal(struct item *a, struct item *b) { return a->key == b->key; }
static void count_item(double *sum, double by) { *sum += by; }
static double plain_weight(struct item *item, int k) { return item->value * item->value + 0 * k; }
#endif
static double other_weight(const void *item, int k) { return ((const struct item *)item)->value * k; }
static unsigned char never(const void *a, const void *b) { return a == b; }

NOINLINE static void insert(struct set *set, struct item item) {
  for (int i = 0; i < set->count; i++)
    if (set->equal(&item, &set->items[i])) {
      set->items[i].value *= item.value;
      return;
    }
  set->items[set->count++] = item;
}

NOINLINE static double sum(struct set *set) {
  double sum = 0;
  for (int i = 0; i < set->count; i++)
    set->visit(&sum, set->weight(&set->items[i], i));
  return sum;
}

static double f(double *x) {
  struct set first = {0}, second = {0};
  first.equal = (unsigned char (*)(const void *, const void *))item_equal;
  first.visit = second.visit = (void (*)(void *, double))count_item;
  first.weight = (double (*)(const void *, int))plain_weight;
  second.equal = never;
  second.weight = other_weight;
  for (int i = 0; i < 4; i++) {
    insert(&first, (struct item){x[i], i % 3});
    insert(&second, (struct item){x[i], 0});
  }
  return sum(&first) + sum(&second);
}

int main(void) {
  CHECK(f, 0.5, 1.5, -2.5, 3.0);
  return failures;
}
