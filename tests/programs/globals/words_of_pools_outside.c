/* Blocks of a pool that main made hold numbers at one time and pointers at another, and are copied by words: out of the
 * pool, into it, within it, and back. Some copies overlap; some begin in the middle of a word. */
#include "../check.h"

enum { COUNT = 24, LINKS = 12, BLOCKS = 5 };
struct pool {
  void *blocks[BLOCKS];
  int n;
};
static struct pool *of_doubles, *of_floats;

#define DEFINE(T, POOL, TURNS, BODY, BODIES, COPY)                                                                     \
  NOINLINE static void COPY(void *to, const void *from, size_t bytes) { memmove(to, from, bytes); }                    \
  /* pointers and numbers take turns in the same blocks */                                                             \
  static T TURNS(T *x) {                                                                                               \
    T s = 0, own[COUNT], back[COUNT], *links[LINKS], *kept[LINKS];                                                     \
    for (int turn = 0; turn < 3; turn++) {                                                                             \
      T *numbers = POOL->blocks[turn % 2], **pointers = POOL->blocks[(turn + 1) % 2], *moved = POOL->blocks[2];        \
      for (int i = 0; i < COUNT; i++)                                                                                  \
        own[i] = x[i % 3] * x[(i + turn) % 3] * (1 + i % 5);                                                           \
      for (int i = 0; i < LINKS; i++)                                                                                  \
        links[i] = &x[(i + turn) % 3];                                                                                 \
      COPY(numbers, own, sizeof own);                                                                                  \
      COPY(pointers, links, sizeof links);                                                                             \
      COPY(moved, numbers, sizeof own);                                                                                \
      COPY(POOL->blocks[3], pointers, sizeof links);                                                                   \
      COPY(moved + 1, moved + 3, POOL->n * sizeof *moved);                                                             \
      COPY(moved + 5, moved + 3, POOL->n * sizeof *moved);                                                             \
      COPY(back, moved, sizeof back);                                                                                  \
      COPY(kept, POOL->blocks[3], sizeof kept);                                                                        \
      for (int i = 0; i < COUNT; i++)                                                                                  \
        s += back[i] * (i + 1) + numbers[i] * back[0];                                                                 \
      for (int i = 0; i < LINKS; i++)                                                                                  \
        s += *kept[i] * *pointers[i] * (i + 1);                                                                        \
      COPY(POOL->blocks[3], POOL->blocks[4], sizeof own); /* constants */                                              \
      s += ((T *)POOL->blocks[3])[1] * x[0];                                                                           \
    }                                                                                                                  \
    return s;                                                                                                          \
  }                                                                                                                    \
  /* a struct with two numbers is copied into one whose block held pointers, and which is copied whole */              \
  struct BODY {                                                                                                        \
    int flags;                                                                                                         \
    T place[2], speed[2];                                                                                              \
    struct BODY *next;                                                                                                 \
  };                                                                                                                   \
  static T BODIES(T *x) {                                                                                              \
    struct BODY *first = POOL->blocks[0], *second = POOL->blocks[1];                                                   \
    T a[] = {x[0] * x[1], x[1]}, b[] = {x[2], x[0]}, s = 0;                                                            \
    first->next = second, second->next = NULL;                                                                         \
    for (struct BODY *at = first; at; at = at->next) {                                                                 \
      COPY(at->place, at == first ? a : b, sizeof at->place);                                                          \
      COPY(at->speed, at->place, sizeof at->speed);                                                                    \
      struct BODY whole = *at;                                                                                         \
      s += whole.place[0] * whole.speed[1] + at->speed[0] * at->place[0];                                              \
    }                                                                                                                  \
    return s;                                                                                                          \
  }
DEFINE(double, of_doubles, with_doubles, body, bodies, copy)
DEFINE(float, of_floats, with_floats, small_body, small_bodies, copy_floats)

static struct pool *make(int n) {
  struct pool *made = malloc(n * sizeof *made);
  made->n = n + COUNT - 8;
  for (int k = 0; k < BLOCKS; k++)
    made->blocks[k] = calloc(2 * COUNT, sizeof(double));
  return made;
}

int main(int argc, char **argv) {
  of_doubles = make(argc), of_floats = make(argc);
  if (!argv)
    of_doubles = of_floats = NULL;
  for (int i = 0; i < COUNT; i++)
    ((double *)of_doubles->blocks[4])[i] = 3, ((float *)of_floats->blocks[4])[i] = 3;
  for (int round = 0; round < 2; round++) {
    CHECK(with_doubles, 0.7, 1.3, 0.4);
    CHECK_FLOAT(with_floats, with_doubles, 0.7, 1.3, 0.4);
    CHECK(bodies, 0.7, 1.3, 0.4);
    CHECK_FLOAT(small_bodies, bodies, 0.7, 1.3, 0.4);
  }
  return failures;
}
