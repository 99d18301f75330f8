#include "table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Code that only the constructors reach, more than calls through pointers may add. */
#define MIX(k) state = state * 31 + (state >> 3) + k; state ^= state << 7; if (state % 7 == k % 7) state += seed;
#define MIX4(k) MIX(k) MIX(k + 1) MIX(k + 2) MIX(k + 3)
#define MIX16(k) MIX4(k) MIX4(k + 4) MIX4(k + 8) MIX4(k + 12)
#define MIX64(k) MIX16(k) MIX16(k + 16) MIX16(k + 32) MIX16(k + 48)
#define MIXER(n) static unsigned mix##n(unsigned state, unsigned seed) { MIX64(n) MIX64(n + 64) return state; }
MIXER(0) MIXER(1) MIXER(2) MIXER(3) MIXER(4) MIXER(5) MIXER(6) MIXER(7) MIXER(8) MIXER(9)
static unsigned (*const mixers[])(unsigned, unsigned) = {mix0, mix1, mix2, mix3, mix4, mix5, mix6, mix7, mix8, mix9};

static double scale = 1;
static int tables_alive;
int tables(void) { return tables_alive; }

void scale_tables(double by) { scale = by; }

static unsigned mixed(const char *name, unsigned n) {
  unsigned state = 1;
  for (; *name; name++)
    state = mixers[*name % 10](state, n);
  return state % 5;
}

static double cubic(const struct table *t, double x) { return x * x * x * t->factor[1]; }
static double waves(const struct table *t, double x) { return sin(x * t->factor[0]) + t->factor[2]; }

void table_init(struct table *t, const char *name, int n) {
  t->n = n;
  t->apply = mixed(name, n) > 100 ? cubic : waves;
  t->factor = malloc(3 * sizeof(double));
  for (int i = 0; i < 3; i++)
    t->factor[i] = scale * (i + n);
  t->last = 0;
  t->in = t->out = NULL;
  tables_alive++;
}

void table_end(struct table *t) {
  free(t->factor);
  t->factor = NULL;
  tables_alive--;
}

struct table *table_create(const char *name, int n) {
  struct table *t = malloc(sizeof *t);
  table_init(t, name, n);
  return t;
}

struct table *table_create_between(const char *name, int n, double *in, double *out) {
  struct table *t = table_create(name, n);
  t->in = in;
  t->out = out;
  return t;
}

struct table *table_create_of(const char *name, const struct values *values) {
  struct table *t = table_create(name, values->n);
  for (int i = 0; i < values->n && i < 3; i++)
    t->factor[i] *= values->at[i];
  return t;
}

static struct table *current;
struct table *table_create_current(const char *name, int n) { return current = table_create(name, n); }
double value_of_current(double x) { return table_value(current, x); }

void table_destroy(struct table *t) {
  table_end(t);
  free(t);
}

double table_value(struct table *t, double x) {
  t->last = t->apply(t, x) + t->last / 2;
  return t->last * t->factor[0];
}

void table_run(struct table *t) {
  for (int i = 0; i < t->n; i++)
    t->out[i] = table_value(t, t->in[i]);
}
