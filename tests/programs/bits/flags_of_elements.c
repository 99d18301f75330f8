/* Flags of elements are set one by one, by tests of integers beside numbers: no number is made of these flags, though
   an arena has flags and numbers. Another integer of the object is counted up, of which nothing declares what it is. */
#include "../check.h"

enum { COUNT = 8 };
struct mesh {
  double time;
  int row, column, plane, last;
  union { int steps; float share; } count;
  int *flags;
  double *energy;
};

static char *arena;
static NOINLINE void *take(size_t size) {
  void *block = arena;
  arena += (size + 15) / 16 * 16;
  return block;
}

static NOINLINE void fill(struct mesh *m) {
  m->count.steps += COUNT;
  for (int i = 0; i < COUNT; i++) {
    m->energy[i] = m->time * i;
    m->flags[i] = i;
    if (m->row == 0) m->flags[i] |= 0x008;
    if (m->row == m->last) m->flags[i] |= 0x010;
    if (m->row == i) m->flags[i] |= 0x020;
    if (m->column == 0) m->flags[i] |= 0x040;
    if (m->column == m->last) m->flags[i] |= 0x080;
    if (m->column == i) m->flags[i] |= 0x100;
    if (m->plane == 0) m->flags[i] |= 0x200;
    if (m->plane == m->last) m->flags[i] |= 0x400;
    if (m->plane == i) m->flags[i] |= 0x800;
  }
}

static double run(double *x) {
  static volatile int place[] = {0, 1, 2, 2};
  char *begin = arena = malloc(1000);
  struct mesh *m = malloc(sizeof *m);
  *m = (struct mesh){x[0], place[0], place[1], place[2], place[3], {1}};
  m->flags = take(COUNT * sizeof *m->flags);
  m->energy = take(COUNT * sizeof *m->energy);
  fill(m);
  double sum = 0;
  for (int i = 0; i < COUNT; i++) {
    m->energy[i] *= m->flags[i] & 0x810 ? i : 2 * i;
    sum += m->energy[i] * (m->flags[i] & 0xff);
  }
  sum *= m->time * m->count.steps;
  free(begin), free(m);
  return sum;
}

int main(void) {
  CHECK(run, 1.5);
  return failures;
}
