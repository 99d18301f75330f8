/* The handler by which XLA calls entry points of `enzyme_cc.function`: one for all functions.
 *
 * The attributes of a call, in the order of their names:
 *   batch    how many times the entry point is called, one after the other
 *   library  path of the shared library
 *   sizes    the integers that the entry point takes (at least one number)
 *   slots    for each buffer of the entry point: the number of the argument; of the result, less 1, negated; or NO_SLOT
 *   strides  for each buffer: how many bytes lie between those of two calls; 0 if all calls share it
 *   symbol   name of the entry point
 *
 * The functions found are kept in a list that only grows, so looking one up takes no lock.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "xla/ffi/api/c_api.h"

enum { BATCH, LIBRARY, SIZES, SLOTS, STRIDES, SYMBOL, NO_SLOT = 1 << 30 };
typedef int (*entry_point)(void *const *buffers, const int64_t *sizes);
typedef struct found {
  const struct found *next;
  entry_point call;
  const char *(*message)(void);
  char *library, *symbol;
} found;
static _Atomic(const found *) all;

static XLA_FFI_Error *failed(XLA_FFI_CallFrame *frame, XLA_FFI_Error_Code code, const char *message) {
  XLA_FFI_Error_Create_Args error = {XLA_FFI_Error_Create_Args_STRUCT_SIZE, NULL, message, code};
  return frame->api->XLA_FFI_Error_Create(&error);
}

static int is_text(const char *text, const XLA_FFI_ByteSpan *span) {
  return strlen(text) == span->len && !memcmp(text, span->ptr, span->len);
}

static char *copy_of(const XLA_FFI_ByteSpan *span) {
  char *text = malloc(span->len + 1);
  if (text) {
    memcpy(text, span->ptr, span->len);
    text[span->len] = 0;
  }
  return text;
}

/* Returns NULL if the library or the function is not there. */
static const found *find(const XLA_FFI_ByteSpan *library, const XLA_FFI_ByteSpan *symbol) {
  for (const found *one = atomic_load_explicit(&all, memory_order_acquire); one; one = one->next)
    if (is_text(one->symbol, symbol) && is_text(one->library, library))
      return one;
  found *made = malloc(sizeof *made);
  char *path = copy_of(library), *name = copy_of(symbol);
  void *opened = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  void *call = opened && name ? dlsym(opened, name) : NULL;
  if (!made || !call) {
    free(made);
    free(path);
    free(name);
    return NULL;
  }
  made->library = path;
  made->symbol = name;
  made->call = (entry_point)call;
  made->message = (const char *(*)(void))dlsym(opened, "enzyme_cc_message");
  made->next = atomic_load(&all);
  while (!atomic_compare_exchange_weak(&all, &made->next, made))
    ;
  return made;
}

static void *data_of(const XLA_FFI_CallFrame *frame, int64_t slot) {
  if (slot == NO_SLOT)
    return NULL;
  return ((XLA_FFI_Buffer *)(slot < 0 ? frame->rets.rets[-1 - slot] : frame->args.args[slot]))->data;
}

XLA_FFI_Error *enzyme_cc_jax(XLA_FFI_CallFrame *frame) {
  if (frame->extension_start && frame->extension_start->type == XLA_FFI_Extension_Metadata) {
    XLA_FFI_Metadata *metadata = ((XLA_FFI_Metadata_Extension *)frame->extension_start)->metadata;
    metadata->api_version.major_version = XLA_FFI_API_MAJOR;
    metadata->api_version.minor_version = XLA_FFI_API_MINOR;
    return NULL;
  }
  if (frame->stage != XLA_FFI_ExecutionStage_EXECUTE)
    return NULL;
  void **attributes = frame->attrs.attrs;
  const found *one = find(attributes[LIBRARY], attributes[SYMBOL]);
  if (!one)
    return failed(frame, XLA_FFI_Error_Code_NOT_FOUND, "a compiled function is no longer in the cache of enzyme-cc");
  const int64_t batch = *(const int64_t *)((XLA_FFI_Scalar *)attributes[BATCH])->value;
  const int64_t *sizes = ((XLA_FFI_Array *)attributes[SIZES])->data;
  const int64_t *slots = ((XLA_FFI_Array *)attributes[SLOTS])->data;
  const int64_t *strides = ((XLA_FFI_Array *)attributes[STRIDES])->data;
  const size_t count = ((XLA_FFI_Array *)attributes[SLOTS])->size;
  void *buffers[count];
  for (size_t i = 0; i < count; i++)
    buffers[i] = data_of(frame, slots[i]);
  for (int64_t k = 0; k < batch; k++) {
    const int status = one->call(buffers, sizes);
    if (status == 1)
      return failed(frame, XLA_FFI_Error_Code_UNKNOWN, one->message ? one->message() : "a C++ exception");
    if (status)
      return failed(frame, XLA_FFI_Error_Code_RESOURCE_EXHAUSTED, "no memory for a derivative");
    for (size_t i = 0; i < count; i++)
      if (buffers[i])
        buffers[i] = (char *)buffers[i] + strides[i];
  }
  return NULL;
}
