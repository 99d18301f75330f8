// Pointers to numbers are exchanged atomically, by comparison and without: a list without a lock, a pool of work arrays.
#include "../check.h"
#include <atomic>

struct node {
  node *next;
  double value;
};

static double list(double *x) {
  std::atomic<node *> head{nullptr};
  node nodes[4];
  for (int i = 0; i < 4; i++) {
    nodes[i].value = x[0] * x[1] * (i + 1);
    nodes[i].next = head.load();
    while (!head.compare_exchange_weak(nodes[i].next, &nodes[i]))
      ;
  }
  double s = 0;
  int k = 1;
  for (node *n = head.exchange(&nodes[0]); n; n = n->next)
    s += n->value * n->value * k++;
  return s + head.load()->value;
}

struct work {
  work *next;
  double *numbers;
};
struct pool {
  work *head;
};
static pool *outside;

static work *obtain(pool *p) {
  for (;;) {
    work *w = p->head;
    if (!w) {
      w = (work *)malloc(sizeof *w);
      w->numbers = (double *)malloc(3 * sizeof(double));
      return w;
    }
    if (__sync_bool_compare_and_swap(&p->head, w, w->next))
      return w;
  }
}

static void give_back(pool *p, work *w) {
  do
    w->next = p->head;
  while (!__sync_bool_compare_and_swap(&p->head, w->next, w));
}

static double step(pool *p, double x) {
  work *w = obtain(p);
  for (int i = 0; i < 3; i++)
    w->numbers[i] = x * i;
  double s = w->numbers[1] * w->numbers[2];
  give_back(p, w);
  return s;
}

static void release(pool *p) {
  while (work *w = p->head) {
    p->head = w->next;
    free(w->numbers);
    free(w);
  }
}

static double in_pool(double *x) { return step(outside, x[0]) + step(outside, x[1] * x[1]); }

static double in_own_pool(double *x) {
  pool own = {nullptr};
  double s = step(&own, x[0]) + step(&own, x[1] * x[1]);
  release(&own);
  return s;
}

static double one_exchange(double *x) {
  double y[2] = {x[0] * x[1], x[1]};
  std::atomic<double *> chosen{&y[1]};
  double *seen = &y[0];
  chosen.compare_exchange_strong(seen, &y[0]); // fails, and tells what is there
  double s = *seen;
  chosen.compare_exchange_strong(seen, &y[0]);
  return s * *chosen * 2;
}

int main() {
  CHECK(list, 0.5, 1.5);
  CHECK(in_own_pool, 0.5, 1.5);
  outside = (pool *)calloc(1, sizeof *outside);
  CHECK(in_pool, 0.5, 1.5);
  release(outside);
  free(outside);
  CHECK(one_exchange, 0.5, 1.5);
  return failures;
}
