/* Words that are a number's bits or an address, as interpreters keep values: in NaNs, and with a tag beside; on the heap
   and in static storage. The program declares integers. */
#include "../check.h"
#include <stdint.h>

#define BOXED UINT64_C(0xfffc000000000000)

struct value {
  uint64_t word;
  int is_pair;
};
struct pair {
  struct value first, second;
};
struct boxes {
  uint64_t first, second;
};
struct machine {
  struct pair pairs[32];
  struct value stack[32];
  struct boxes boxes[32];
  uint64_t boxed[32];
  int top, depth;
};
static struct machine machine;
static uint64_t registers[6];

static uint64_t bits(double number) {
  uint64_t word;
  memcpy(&word, &number, sizeof word);
  return word;
}
static double number(uint64_t word) {
  double number;
  memcpy(&number, &word, sizeof number);
  return number;
}

static struct value cons(struct machine *m, struct value first, struct value second) {
  struct pair *p = &m->pairs[m->top++];
  *p = (struct pair){first, second};
  return (struct value){(uintptr_t)p, 1};
}
static void push(struct machine *m, struct value v) { m->stack[m->depth++] = v; }
static struct value pop(struct machine *m) { return m->stack[--m->depth]; }
static double sum(struct value v) {
  double s = 0;
  for (; v.is_pair; v = ((struct pair *)v.word)->second) {
    struct value first = ((struct pair *)v.word)->first;
    s = s * 1.5 + (first.is_pair ? 1 : number(first.word));
  }
  return s + number(v.word);
}
static double tagged(struct machine *m, double *x) {
  for (int i = 0; i < 3; i++)
    push(m, (struct value){bits(x[i] * x[(i + 1) % 3]), 0});
  while (m->depth > 1) {
    struct value b = pop(m), a = pop(m);
    push(m, cons(m, a, cons(m, b, (struct value){bits(x[0]), 0})));
  }
  return sum(pop(m));
}

static int is_boxed(uint64_t v) { return (v & BOXED) == BOXED; }
static struct boxes *unboxed(uint64_t v) { return (struct boxes *)(v & ~BOXED); }
static uint64_t cons_boxes(struct machine *m, uint64_t first, uint64_t second) {
  struct boxes *p = &m->boxes[m->top++];
  *p = (struct boxes){first, second};
  return BOXED | (uintptr_t)p;
}
static double boxed(struct machine *m, double *x) {
  for (int i = 0; i < 3; i++)
    m->boxed[m->depth++] = bits(x[i] * x[(i + 1) % 3]);
  while (m->depth > 1) {
    uint64_t b = m->boxed[--m->depth], a = m->boxed[--m->depth];
    m->boxed[m->depth++] = cons_boxes(m, a, cons_boxes(m, b, bits(x[0])));
  }
  double s = 0;
  uint64_t v = m->boxed[--m->depth];
  for (; is_boxed(v); v = unboxed(v)->second) {
    uint64_t first = unboxed(v)->first;
    s = s * 1.5 + (is_boxed(first) ? 1 : number(first));
  }
  return s + number(v);
}

static double tagged_on_heap(double *x) {
  struct machine *m = calloc(1, sizeof *m);
  double s = tagged(m, x);
  free(m);
  return s;
}
static double boxed_on_heap(double *x) {
  struct machine *m = calloc(1, sizeof *m);
  double s = boxed(m, x);
  free(m);
  return s;
}
static double tagged_in_static(double *x) {
  machine.top = machine.depth = 0;
  return tagged(&machine, x);
}
static double boxed_in_static(double *x) {
  machine.top = machine.depth = 0;
  return boxed(&machine, x);
}
static double in_registers(double *x) {
  double s = 0;
  for (int i = 0; i < 3; i++) {
    registers[2 * i] = bits(x[i]);
    registers[2 * i + 1] = (uintptr_t)&x[(i + 1) % 3];
  }
  uint64_t last = registers[5];
  registers[5] = registers[0];
  registers[0] = last;
  for (int i = 0; i < 6; i++)
    s += (i + 1) * (i == 0 || i == 1 || i == 3 ? *(double *)registers[i] : number(registers[i]) * number(registers[i]));
  return s;
}

int main(void) {
  CHECK(tagged_on_heap, 0.5, 1.2, 0.7);
  CHECK(boxed_on_heap, 0.5, 1.2, 0.7);
  CHECK(tagged_in_static, 0.5, 1.2, 0.7);
  CHECK(boxed_in_static, 0.5, 1.2, 0.7);
  CHECK(in_registers, 0.5, 1.2, 0.7);
  return failures;
}
