/* Loops of checkpointed steps: enzyme_cc/autodiff/checkpoints makes the functions that are called here.
 *
 * In the forward sweep steps say what memory they read and write. The state of the loop is what steps have touched so
 * far: nobody has to say how large it is. What a byte held when it was touched first is what it held in all states that
 * were stored before. Memory is watched in lines; masks say which of their bytes count: no others are read or written.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 512, BITS = 64, WORDS = LINE / BITS, FIRST_SLOTS = 64 };

struct line {
  char *at;
  int written;
  uint64_t pointers; /* words in which pointers are that steps follow */
  uint64_t mask[WORDS];
  char first[LINE]; /* what the bytes held when they were touched first */
};

struct saved {
  size_t line;
  uint64_t mask[WORDS];
  char bytes[LINE];
};

/* A state is stored behind `place` steps. The one behind none is what lines held at first. */
struct state {
  long place;
  size_t count;
  struct saved *lines;
};

/* Memory that the step allocated itself: no part of the state. */
struct own {
  struct own *next;
  char *start;
  size_t size;
};

struct checkpoints {
  const char *name;
  struct line *lines;
  size_t count, room;
  size_t *table, slots; /* numbers of lines, from 1, by address */
  const char *stack;    /* what lies deeper belongs to the steps */
  struct own *own;
  struct state *states;
  long stored, capacity, steps;
  char *closure, *shadow; /* the values that the loop does not change, and their shadows */
  size_t bytes, numbers;  /* of the closure; of the shadow, in which adjoints are summed up */
  int again;              /* no loop: a function that is called again */
  char *after;            /* what it left */
  struct checkpoints *outer;
};

typedef void step_function(void *closure, long step);
typedef void gradient_function(void *closure, void *shadow, long step);

static __thread struct checkpoints *recording;

static __attribute__((noreturn, cold)) void fail(const struct checkpoints *c, const char *what) {
  fprintf(stderr, "enzyme-cc: %s %s\n", c->name, what);
  abort();
}

static void *memory_for(const struct checkpoints *c, void *old, size_t size) {
  void *p = realloc(old, size ? size : 1);
  if (!p)
    fail(c, "has a state for which there is no memory");
  return p;
}

/* --- bytes that a mask says */

static void copy_word(char *to, const char *from, uint64_t mask) {
  if (mask == ~(uint64_t)0) {
    memcpy(to, from, BITS);
    return;
  }
  for (; mask; mask &= mask - 1) {
    int k = __builtin_ctzll(mask);
    to[k] = from[k];
  }
}

static int is_same(const char *a, const char *b, uint64_t mask) {
  if (mask == ~(uint64_t)0)
    return !memcmp(a, b, BITS);
  for (; mask; mask &= mask - 1) {
    int k = __builtin_ctzll(mask);
    if (a[k] != b[k])
      return 0;
  }
  return 1;
}

static void copy(char *to, const char *from, const uint64_t *mask) {
  for (int w = 0; w < WORDS; w++)
    copy_word(to + w * BITS, from + w * BITS, mask[w]);
}

/* Memory that holds this already is not written: it may be constant. */
static void put_back(char *to, const char *from, const uint64_t *mask) {
  for (int w = 0; w < WORDS; w++)
    if (mask[w] && !is_same(to + w * BITS, from + w * BITS, mask[w]))
      copy_word(to + w * BITS, from + w * BITS, mask[w]);
}

/* --- what steps touch */

static size_t slot_of(const struct checkpoints *c, const char *at) {
  size_t slot = (size_t)(((uintptr_t)at / LINE * 0x9E3779B97F4A7C15u) >> 20) & (c->slots - 1);
  while (c->table[slot] && c->lines[c->table[slot] - 1].at != at)
    slot = (slot + 1) & (c->slots - 1);
  return slot;
}

static void enlarge(struct checkpoints *c) {
  c->slots = c->slots ? 2 * c->slots : FIRST_SLOTS;
  c->table = memory_for(c, c->table, c->slots * sizeof *c->table);
  memset(c->table, 0, c->slots * sizeof *c->table);
  for (size_t k = 0; k < c->count; k++)
    c->table[slot_of(c, c->lines[k].at)] = k + 1;
  c->room = c->slots / 2;
  c->lines = memory_for(c, c->lines, c->room * sizeof *c->lines);
}

static struct line *line_at(struct checkpoints *c, char *at) {
  if (c->count == c->room)
    enlarge(c);
  size_t slot = slot_of(c, at);
  if (!c->table[slot]) {
    struct line *line = &c->lines[c->count];
    line->at = at;
    line->written = 0;
    line->pointers = 0;
    memset(line->mask, 0, sizeof line->mask);
    c->table[slot] = ++c->count;
  }
  return &c->lines[c->table[slot] - 1];
}

static int is_own(const struct checkpoints *c, const char *p) {
  const char *here = __builtin_frame_address(0);
  if (p >= here && p < c->stack)
    return 1;
  for (const struct own *o = c->own; o; o = o->next)
    if (p >= o->start && p < o->start + o->size)
      return 1;
  return 0;
}

/* Not inlined: its frame is then deeper than those of the steps. */
static __attribute__((noinline)) void touch(struct checkpoints *c, char *p, size_t size, int writes) {
  if (is_own(c, p))
    return;
  while (size) {
    size_t from = (uintptr_t)p % LINE, n = LINE - from < size ? LINE - from : size;
    struct line *line = line_at(c, p - from);
    line->written |= writes;
    for (size_t k = from; k < from + n; k++)
      if (!(line->mask[k / BITS] >> k % BITS & 1)) {
        line->first[k] = line->at[k];
        line->mask[k / BITS] |= (uint64_t)1 << k % BITS;
      }
    p += n;
    size -= n;
  }
}

/* Called before a step reads or writes so many bytes. */
void __ez_checkpoint_touch(char *p, size_t size, int writes) {
  struct checkpoints *c = recording;
  size_t from = (uintptr_t)p % LINE, bit = from % BITS;
  if (c->count && size && bit + size <= BITS) {
    size_t slot = slot_of(c, p - from);
    uint64_t wanted = (~(uint64_t)0 >> (BITS - size)) << bit;
    if (c->table[slot]) {
      const struct line *line = &c->lines[c->table[slot] - 1];
      if ((line->mask[from / BITS] & wanted) == wanted && line->written >= writes)
        return;
    }
  }
  touch(c, p, size, writes);
}

static __attribute__((noreturn, cold)) void another_pointer(const struct checkpoints *c) {
  fail(c, "follows a pointer that is not what it was in the first step, or has changed before the reverse sweep: its "
          "shadow is not known any more; let pointers stay as they are, and copy what they point to");
}

/* Called before a step reads a pointer. Its shadow is read where the shadow of that memory is, as it was left: so it
 * must be the same in all steps. */
void __ez_checkpoint_followed(char *p) {
  enum { POINTER = sizeof(void *) };
  __ez_checkpoint_touch(p, POINTER, 0);
  for (size_t k = 0; k < POINTER; k++) {
    size_t at = (uintptr_t)(p + k) % LINE, slot = recording->count ? slot_of(recording, p + k - at) : 0;
    size_t number = recording->count ? recording->table[slot] : 0;
    struct line *line = number ? &recording->lines[number - 1] : NULL;
    if (!line || !(line->mask[at / BITS] >> at % BITS & 1))
      return; /* its own memory */
    line->pointers |= (uint64_t)1 << at / POINTER;
    if (!recording->again && line->first[at] != p[k])
      another_pointer(recording);
  }
}

/* Whether all pointers that steps follow are again what they were. */
static void check_pointers(const struct checkpoints *c, const char *now) {
  for (size_t k = 0; k < c->count; k++, now += LINE)
    for (uint64_t rest = c->lines[k].pointers; rest; rest &= rest - 1) {
      size_t at = sizeof(void *) * (size_t)__builtin_ctzll(rest);
      uint64_t mask = c->lines[k].mask[at / BITS] & ((uint64_t)0xff << at % BITS);
      if (!is_same(now + at / BITS * BITS, c->lines[k].first + at / BITS * BITS, mask))
        another_pointer(c);
    }
}

void __ez_checkpoint_allocated(char *p, size_t size) {
  struct own *o = memory_for(recording, NULL, sizeof *o);
  *o = (struct own){recording->own, p, size};
  recording->own = o;
}

void __ez_checkpoint_freed(const char *p) {
  struct own **o = &recording->own;
  while (*o && (*o)->start != p)
    o = &(*o)->next;
  if (!*o && p)
    fail(recording, "frees memory that it has not allocated itself");
  if (*o) {
    struct own *gone = *o;
    *o = gone->next;
    free(gone);
  }
}

/* --- states */

static void push(struct checkpoints *c, long place) {
  struct state *s = &c->states[c->stored++];
  *s = (struct state){place, 0, NULL};
  for (size_t k = 0; k < c->count; k++)
    s->count += (size_t)c->lines[k].written;
  s->lines = memory_for(c, NULL, s->count * sizeof *s->lines);
  struct saved *next = s->lines;
  for (size_t k = 0; k < c->count; k++) {
    const struct line *line = &c->lines[k];
    if (line->written) {
      next->line = k;
      memcpy(next->mask, line->mask, sizeof next->mask);
      copy(next->bytes, line->at, line->mask);
      next++;
    }
  }
}

static void pop(struct checkpoints *c) { free(c->states[--c->stored].lines); }

/* The state that was stored last; what was touched later has been as it was at first. */
static void restore(const struct checkpoints *c) {
  const struct state *s = &c->states[c->stored - 1];
  const struct saved *next = s->lines, *end = s->lines + s->count;
  for (size_t k = 0; k < c->count; k++) {
    const struct line *line = &c->lines[k];
    uint64_t rest[WORDS];
    memcpy(rest, line->mask, sizeof rest);
    if (next < end && next->line == k) {
      put_back(line->at, next->bytes, next->mask);
      for (int w = 0; w < WORDS; w++)
        rest[w] &= ~next->mask[w];
      next++;
    }
    put_back(line->at, line->first, rest);
  }
}

/* --- the schedule: A. Griewank, A. Walther, Algorithm 799: revolve, 2000 */

/* (stored + runs)! / stored! runs!: so many steps can be reversed with so many states and repeated runs of each step */
static double reach(long stored, long runs) {
  double found = 1;
  for (long i = 1; i <= runs && found < 1e15; i++)
    found = found * (double)(stored + i) / (double)i;
  return found + 0.5;
}

/* How many steps the next state is stored behind, where so many steps follow the last, and `stored` states, the last
 * one among them, are left for them. */
static long stride_of(long steps, long stored) {
  if (steps <= 1 || stored <= 1)
    return steps;
  long runs = 0;
  while (reach(stored, runs) < (double)steps)
    runs++;
  double most = runs ? reach(stored, runs - 1) : 1, left = runs ? reach(stored - 1, runs - 1) : 0;
  double rest = (double)steps - (double)(long)left;
  long stride = (long)(most < rest ? most : rest);
  return stride < 1 ? 1 : stride >= steps ? steps - 1 : stride;
}

static void run(struct checkpoints *c, step_function *step, long from, long count) {
  for (long t = from; t < from + count; t++) {
    step(c->closure, t);
    if (c->own)
      fail(c, "allocates memory that it does not free");
  }
}

/* From the state that was stored last to the beginning of step `end` - 1, or where `through`, to its end; stores states
 * on the way. */
static void advance(struct checkpoints *c, step_function *step, long end, int through) {
  long at = c->states[c->stored - 1].place;
  while (end - at > 1) {
    long stride = stride_of(end - at, c->capacity - c->stored + 1);
    stride = stride > end - at - 1 ? end - at - 1 : stride;
    run(c, step, at, stride);
    at += stride;
    if (c->stored < c->capacity)
      push(c, at);
  }
  if (through)
    run(c, step, at, end - at);
}

/* The forward sweep, with steps that say what they touch. Gives the tape. Not inlined: where its frame begins, the steps'
 * memory begins. */
__attribute__((noinline)) void *__ez_checkpoint_forward(step_function *watched, const char *name, const char *closure,
                                                        const char *shadow, size_t bytes, size_t numbers, long steps,
                                                        long capacity) {
  struct checkpoints *c = calloc(1, sizeof *c), *outer = recording;
  if (!c)
    abort();
  c->name = name;
  c->stack = __builtin_frame_address(0);
  c->capacity = capacity;
  c->steps = steps;
  c->bytes = bytes;
  c->numbers = numbers;
  c->closure = memcpy(memory_for(c, NULL, bytes), closure, bytes);
  c->shadow = memcpy(memory_for(c, NULL, bytes), shadow, bytes);
  c->states = memory_for(c, NULL, (size_t)capacity * sizeof *c->states);
  recording = c;
  push(c, 0);
  advance(c, watched, steps, 1);
  recording = outer;
  return c;
}

/* The reverse sweep. Gives the shadow of the closure, in which adjoints of numbers are. Memory is left as it was found. */
void *__ez_checkpoint_backward(struct checkpoints *c, step_function *step, gradient_function *gradient) {
  char *kept = memory_for(c, NULL, c->count * LINE);
  for (size_t k = 0; k < c->count; k++)
    copy(kept + k * LINE, c->lines[k].at, c->lines[k].mask);
  check_pointers(c, kept);
  memset(c->shadow, 0, c->numbers);
  for (long end = c->steps; end > 0; end--) {
    while (c->states[c->stored - 1].place >= end)
      pop(c);
    restore(c);
    advance(c, step, end, 0);
    gradient(c->closure, c->shadow, end - 1);
  }
  for (size_t k = 0; k < c->count; k++)
    put_back(c->lines[k].at, kept + k * LINE, c->lines[k].mask);
  free(kept);
  return c->shadow;
}

static void *copy_of(const struct checkpoints *c, const void *from, size_t size) {
  return memcpy(memory_for(c, NULL, size), from, size);
}

/* The tape of another lane: the same states, and its own shadow. */
void *__ez_checkpoint_copy(const struct checkpoints *from, const char *shadow) {
  struct checkpoints *c = copy_of(from, from, sizeof *from);
  c->lines = copy_of(from, from->lines, from->count * sizeof *from->lines);
  c->states = copy_of(from, from->states, (size_t)from->capacity * sizeof *from->states);
  for (long k = 0; k < c->stored; k++)
    c->states[k].lines = copy_of(from, from->states[k].lines, from->states[k].count * sizeof *from->states[k].lines);
  c->table = NULL; /* for looking up lines, which is done */
  c->closure = copy_of(from, from->closure, from->bytes);
  c->shadow = copy_of(from, shadow, from->bytes);
  return c;
}

void __ez_checkpoint_end(struct checkpoints *c) {
  while (c->stored)
    pop(c);
  free(c->states);
  free(c->closure);
  free(c->shadow);
  free(c->lines);
  free(c->table);
  free(c);
}

/* --- functions that are called again, on the memory that they found at first: enzyme_cc/autodiff/custom_lanes.py */

/* Not inlined: what is called next has its frame where this one has its own. */
__attribute__((noinline)) void *__ez_again_begin(const char *name) {
  struct checkpoints *c = calloc(1, sizeof *c);
  if (!c)
    abort();
  c->name = name;
  c->again = 1;
  c->stack = __builtin_frame_address(0);
  c->outer = recording;
  recording = c;
  return c;
}

void __ez_again_done(struct checkpoints *c) {
  recording = c->outer;
  c->after = memory_for(c, NULL, c->count * LINE);
  for (size_t k = 0; k < c->count; k++)
    copy(c->after + k * LINE, c->lines[k].at, c->lines[k].mask);
}

void __ez_again_rewind(const struct checkpoints *c) {
  for (size_t k = 0; k < c->count; k++)
    put_back(c->lines[k].at, c->lines[k].first, c->lines[k].mask);
}

void __ez_again_end(struct checkpoints *c) {
  for (size_t k = 0; k < c->count; k++)
    put_back(c->lines[k].at, c->after + k * LINE, c->lines[k].mask);
  while (c->own) {
    struct own *next = c->own->next;
    free(c->own);
    c->own = next;
  }
  free(c->after);
  free(c->lines);
  free(c->table);
  free(c);
}
