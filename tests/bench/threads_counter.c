/* Counts for threads.py: atomic operations, locks, and the bytes that the thread allocates that allocates most, while one
 * gradient runs. They are printed before all else. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

static atomic_long atomics, locks, most;
static atomic_int counts;
static _Thread_local long bytes;

void count_atomic(void) {
  if (atomic_load_explicit(&counts, memory_order_relaxed))
    atomic_fetch_add_explicit(&atomics, 1, memory_order_relaxed);
}
void count_lock(void) {
  if (atomic_load_explicit(&counts, memory_order_relaxed))
    atomic_fetch_add_explicit(&locks, 1, memory_order_relaxed);
}

static void count_bytes(size_t size) {
  if (!atomic_load_explicit(&counts, memory_order_relaxed))
    return;
  bytes += (long)size;
  long before = atomic_load_explicit(&most, memory_order_relaxed);
  while (before < bytes && !atomic_compare_exchange_weak(&most, &before, bytes)) {
  }
}

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_aligned_alloc(size_t, size_t);
void *__wrap_malloc(size_t size) {
  count_bytes(size);
  return __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size) {
  count_bytes(count * size);
  return __real_calloc(count, size);
}
void *__wrap_aligned_alloc(size_t align, size_t size) {
  count_bytes(size);
  return __real_aligned_alloc(align, size);
}

void count_begin(void) { counts = 1; }
void count_end(void) {
  counts = 0;
  printf("%ld %ld %ld ", (long)atomics, (long)locks, (long)most);
}
