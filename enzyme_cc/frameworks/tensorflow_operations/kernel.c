/* The operation of TensorFlow that calls entry points of `enzyme_cc.function`: one for all functions.
 *
 * Inputs: the tensors that the entry point reads; the integers that it takes; the extents of all outputs, one behind the
 * other. The attributes of a call:
 *   function  name of the function and of the kind, by which Python finds the rule of its derivative
 *   library   path of the shared library; if it is empty, the operation fails
 *   symbol    name of the entry point; if the operation fails, the reason
 *   ranks     for each output: its number of dimensions
 *   slots     for each buffer of the entry point: the number of the input; of the output, less 1, negated; or NO_SLOT
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
typedef struct TF_DimensionHandle TF_DimensionHandle; // the headers are written for C++
typedef struct TF_OpDefinitionBuilder TF_OpDefinitionBuilder;
typedef struct TF_ShapeHandle TF_ShapeHandle;
typedef struct TF_ShapeInferenceContext TF_ShapeInferenceContext;
#include "tensorflow/c/kernels.h"
#include "tensorflow/c/ops.h"
#include "tensorflow/c/tf_tensor.h"

enum { NO_SLOT = 1 << 30, MOST = 256 };
static const char operation[] = "EnzymeCc";
typedef struct kernel {
  int (*call)(void *const *buffers, const int64_t *sizes);
  const char *(*message)(void);
  int64_t ranks[MOST], slots[MOST];
  int32_t outputs, buffers;
} kernel;

/* Returns the text of an attribute, which the caller frees; NULL on failure. */
static char *text_of(TF_OpKernelConstruction *context, const char *name, TF_Status *status) {
  int32_t count, length;
  TF_OpKernelConstruction_GetAttrSize(context, name, &count, &length, status);
  if (TF_GetCode(status) != TF_OK)
    return NULL;
  char *text = calloc(1, length + 1);
  if (text)
    TF_OpKernelConstruction_GetAttrString(context, name, text, length, status);
  return text;
}

static int32_t read_numbers(TF_OpKernelConstruction *context, const char *name, int64_t *values, TF_Status *status) {
  int32_t count = 0, total;
  TF_OpKernelConstruction_GetAttrSize(context, name, &count, &total, status);
  if (TF_GetCode(status) == TF_OK && count > MOST)
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "a compiled function has too many parameters");
  if (TF_GetCode(status) == TF_OK)
    TF_OpKernelConstruction_GetAttrInt64List(context, name, values, count, status);
  return count;
}

static void *create(TF_OpKernelConstruction *context) {
  TF_Status *status = TF_NewStatus();
  kernel *made = calloc(1, sizeof *made);
  char *library = text_of(context, "library", status), *symbol = text_of(context, "symbol", status);
  if (made && library && symbol) {
    made->outputs = read_numbers(context, "ranks", made->ranks, status);
    made->buffers = read_numbers(context, "slots", made->slots, status);
    void *opened = !*library ? NULL : dlopen(library, RTLD_NOW | RTLD_LOCAL);
    made->call = opened ? (int (*)(void *const *, const int64_t *))dlsym(opened, symbol) : NULL;
    made->message = opened ? (const char *(*)(void))dlsym(opened, "enzyme_cc_message") : NULL;
    if (TF_GetCode(status) == TF_OK && !*library)
      TF_SetStatus(status, TF_UNIMPLEMENTED, symbol);
    if (TF_GetCode(status) == TF_OK && (!made->call || !made->message))
      TF_SetStatus(status, TF_NOT_FOUND, "a compiled function is no longer in the cache of enzyme-cc: wrap it again");
  }
  free(library);
  free(symbol);
  if (TF_GetCode(status) != TF_OK) {
    TF_OpKernelConstruction_Failure(context, status);
    free(made);
    made = NULL;
  }
  TF_DeleteStatus(status);
  return made;
}

static void destroy(void *made) { free(made); }

static void *data_of(TF_Tensor *tensor) {
  static char nowhere[64]; // arrays without elements have an address, since NULL stands for a missing array
  return TF_TensorByteSize(tensor) ? TF_TensorData(tensor) : nowhere;
}

/* Allocates an output with these extents, filled with zeros: functions may leave elements as they are. */
static TF_Tensor *output(TF_OpKernelContext *context, int number, const int64_t *extents, int rank, TF_Status *status) {
  const TF_DataType type = TF_ExpectedOutputDataType(context, number);
  size_t bytes = TF_DataTypeSize(type);
  for (int k = 0; k < rank; k++)
    bytes *= extents[k];
  TF_Tensor *made = TF_AllocateOutput(context, number, type, extents, rank, bytes, status);
  if (made && bytes)
    memset(TF_TensorData(made), 0, bytes);
  return made;
}

static void run(const kernel *k, TF_OpKernelContext *context, TF_Tensor **tensors, int inputs, TF_Status *status) {
  TF_Tensor *outputs[MOST];
  void *buffers[MOST];
  const int64_t *sizes = TF_TensorData(tensors[inputs - 2]), *extents = TF_TensorData(tensors[inputs - 1]);
  int made = 0;
  for (; made < k->outputs && TF_GetCode(status) == TF_OK; made++) {
    outputs[made] = output(context, made, extents, k->ranks[made], status);
    extents += k->ranks[made];
  }
  if (TF_GetCode(status) == TF_OK) {
    for (int i = 0; i < k->buffers; i++) {
      const int64_t slot = k->slots[i];
      buffers[i] = slot == NO_SLOT ? NULL : data_of(slot < 0 ? outputs[-1 - slot] : tensors[slot]);
    }
    const int found = k->call(buffers, sizes);
    if (found == 1)
      TF_SetStatus(status, TF_UNKNOWN, k->message());
    else if (found)
      TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "no memory for a derivative");
  }
  for (int i = 0; i < made; i++)
    if (outputs[i])
      TF_DeleteTensor(outputs[i]);
}

static void compute(void *made, TF_OpKernelContext *context) {
  TF_Status *status = TF_NewStatus();
  TF_Tensor *tensors[MOST];
  const int inputs = TF_NumInputs(context);
  int read = 0;
  if (inputs > MOST)
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "a compiled function has too many parameters");
  for (; read < inputs && TF_GetCode(status) == TF_OK; read++)
    TF_GetInput(context, read, &tensors[read], status);
  if (TF_GetCode(status) == TF_OK)
    run(made, context, tensors, inputs, status);
  if (TF_GetCode(status) != TF_OK)
    TF_OpKernelContext_Failure(context, status);
  for (int i = 0; i < read; i++)
    TF_DeleteTensor(tensors[i]);
  TF_DeleteStatus(status);
}

static void shapes_are_not_known(TF_ShapeInferenceContext *context, TF_Status *status) {
  TF_SetStatus(status, TF_OK, "");
  TF_ShapeInferenceContextSetUnknownShape(context, status);
}

__attribute__((constructor)) static void define_operation(void) {
  static const char *const attributes[] = {
      "Tin: list(type) >= 0", "Tout: list(type) >= 1", "function: string", "library: string",
      "symbol: string",       "ranks: list(int)",      "slots: list(int)"};
  TF_Status *status = TF_NewStatus();
  TF_OpDefinitionBuilder *definition = TF_NewOpDefinitionBuilder(operation);
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
    TF_OpDefinitionBuilderAddAttr(definition, attributes[i]);
  TF_OpDefinitionBuilderAddInput(definition, "given: Tin");
  TF_OpDefinitionBuilderAddInput(definition, "sizes: int64");
  TF_OpDefinitionBuilderAddInput(definition, "extents: int64");
  TF_OpDefinitionBuilderAddOutput(definition, "results: Tout");
  TF_OpDefinitionBuilderSetShapeInferenceFunction(definition, shapes_are_not_known);
  TF_RegisterOpDefinition(definition, status);
  if (TF_GetCode(status) == TF_OK) {
    TF_KernelBuilder *builder = TF_NewKernelBuilder(operation, "CPU", create, compute, destroy);
    TF_RegisterKernelBuilder(operation, builder, status);
  }
  TF_DeleteStatus(status);
}
