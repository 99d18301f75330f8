/* The C library as far as shipped bitcode needs it: the same declarations for all targets. See ../CMakeLists.txt. */
#pragma once
#include <stddef.h>

typedef unsigned long pthread_t;
typedef union {
    char bytes[64]; /* the most of all architectures and libraries */
    long align;
} pthread_attr_t;
typedef union {
    char bytes[64];
    long align;
} pthread_mutex_t;
typedef pthread_attr_t pthread_mutexattr_t;
__attribute__((nothrow, const)) pthread_t pthread_self(void);
__attribute__((nothrow)) int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
__attribute__((nothrow)) int pthread_mutex_lock(pthread_mutex_t *);
__attribute__((nothrow)) int pthread_mutex_unlock(pthread_mutex_t *);
__attribute__((nothrow)) int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_join(pthread_t, void **);
__attribute__((nothrow)) int pthread_attr_getstacksize(const pthread_attr_t *restrict, size_t *restrict);
__attribute__((nothrow)) int pthread_attr_destroy(pthread_attr_t *);
__attribute__((nothrow)) int pthread_create(pthread_t *restrict, const pthread_attr_t *restrict, void *(*)(void *), void *);
