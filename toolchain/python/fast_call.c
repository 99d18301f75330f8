/* The module enzyme_cc.functions.fast_call: calls entry points with Python's arrays and numbers.

   A FastCall holds one entry point, and says for each argument what it must be, for each buffer of the entry point where
   it comes from, and what is returned. It takes arguments that fit without conversion. If one does not fit, it calls `slow`
   with all arguments once: that converts them, or raises an error that says what is wrong. No copies are made here.

   Ctrl-C stops a call that takes long: a companion thread runs it. A call of microseconds must not pay for a thread (10 us).
   So calls run in the caller's thread if none of their sizes and integers is larger than in calls that have been quick.

   Only the limited API of Python 3.11 is used: one binary serves all later versions. */
#define _GNU_SOURCE /* RTLD_DEEPBIND */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include "companion.h"
#include <dlfcn.h>
#include <string.h>
#include <time.h>

enum { CONSTANT, SYMBOL, ADD, SUBTRACT, MULTIPLY, DIVIDE }; /* as in dimensions.py */
enum { ARRAY, NUMBER, SIZE, ARGUMENT, ONE, NOTHING };       /* as in plans.py */
enum { STACK = 64 };
enum { QUICK = 10, LONG = 50 }; /* milliseconds of a call; the clock is exact to 4 */
enum { INTERRUPTED = -1 };      /* beside what entry points return */

typedef struct {
  long long operation, operand;
} step;

/* an expression of sizes, for a stack machine */
typedef struct {
  step *steps;
  Py_ssize_t count;
} expression;

typedef struct {
  int kind;            /* ARRAY, NUMBER, SIZE of an argument; ARRAY, NUMBER, ARGUMENT, ONE, NOTHING of a buffer */
  int type;            /* f c i u b: NumPy's kinds; V: a record; p: a function, no integer */
  Py_ssize_t bytes;    /* of one element */
  Py_ssize_t index;    /* SIZE: which size; ARGUMENT: which argument */
  bool is_written;     /* ARRAY: the entry point writes to it */
  bool is_fortran;     /* ARRAY: column-major */
  char *format;        /* ARRAY of records: the format in the buffer protocol */
  PyObject *allocate;  /* ARRAY of a buffer: called with shape, dtype, order */
  PyObject *dtype, *order;
  expression *shape;
  Py_ssize_t rank;
} item;

/* how a shape gives a size: an expression that is linear in it */
typedef struct {
  Py_ssize_t size, argument, axis;
  expression rule;
} solution;

/* a size, or an argument that is an integer, and its largest value in calls that have been quick */
typedef struct {
  Py_ssize_t index;
  bool is_size;
  int64_t quick;
} integer;

typedef struct {
  PyObject_HEAD
  entry_point *call;
  const char *(*message)(void);
  item *arguments, *buffers;
  solution *solutions;
  Py_ssize_t argument_count, buffer_count, size_count, solution_count;
  int64_t *limits; /* of each size: the smallest and the largest value */
  PyObject *labels, *results, *slow;
  PyObject *name, *libraries; /* the function; the paths of the libraries with the variables that it may use */
  integer *integers;
  Py_ssize_t integer_count;
  bool knows_quick, may_move; /* some calls have been quick; calls may run in another thread */
} fast_call;

typedef union {
  double d;
  float f;
  double z[2];
  float c[2];
  int64_t i;
  unsigned char bytes[16];
} number;

/* the state of one call; `block` has what the others point at */
typedef struct frame {
  char *block;
  Py_buffer *views;
  void **buffers;
  number *numbers;
  PyObject **objects; /* what each buffer is for Python: arrays only */
  int64_t *sizes;
  Py_ssize_t view_count;
  companion *companion; /* NULL but for an abandoned call: one that has been interrupted, and runs on */
  fast_call *owner;     /* of an abandoned call, as the next two */
  PyObject *given;
  struct frame *next;
} frame;

static frame *abandoned; /* a list; calls that have ended leave it at the next call of anything */

/* --- construction -------------------------------------------------------------------------------------------------- */

static bool read_expression(PyObject *from, expression *to) {
  to->count = PyTuple_Size(from);
  if (to->count < 0 || !(to->steps = PyMem_Calloc(to->count + 1, sizeof(step))))
    return false;
  if (to->count >= STACK) {
    PyErr_SetString(PyExc_ValueError, "a dimension is too long");
    return false;
  }
  for (Py_ssize_t i = 0; i < to->count; i++)
    if (!PyArg_ParseTuple(PyTuple_GetItem(from, i), "LL", &to->steps[i].operation, &to->steps[i].operand))
      return false;
  return true;
}

/* (kind, type, bytes, index, is_written, is_fortran, format or None, (allocate, dtype, order) or None, shape) */
static bool read_item(PyObject *from, item *to) {
  PyObject *shape, *allocation;
  int is_written, is_fortran;
  const char *format;
  if (!PyArg_ParseTuple(from, "iCnnppzOO!", &to->kind, &to->type, &to->bytes, &to->index, &is_written, &is_fortran, &format,
                        &allocation, &PyTuple_Type, &shape))
    return false;
  to->is_written = is_written;
  to->is_fortran = is_fortran;
  if (format) {
    if (!(to->format = PyMem_Malloc(strlen(format) + 1)))
      return false;
    strcpy(to->format, format);
  }
  if (allocation != Py_None) {
    if (!PyArg_ParseTuple(allocation, "OOO", &to->allocate, &to->dtype, &to->order))
      return false;
    Py_INCREF(to->allocate);
    Py_INCREF(to->dtype);
    Py_INCREF(to->order);
  }
  to->rank = PyTuple_Size(shape);
  if (!(to->shape = PyMem_Calloc(to->rank + 1, sizeof(expression))))
    return false;
  for (Py_ssize_t i = 0; i < to->rank; i++)
    if (!read_expression(PyTuple_GetItem(shape, i), &to->shape[i]))
      return false;
  return true;
}

static bool read_items(PyObject *from, item **to, Py_ssize_t *count) {
  Py_ssize_t n = PyTuple_Size(from);
  if (n < 0 || !(*to = PyMem_Calloc(n + 1, sizeof(item))))
    return false;
  for (*count = 0; *count < n;) {
    PyObject *one = PyTuple_GetItem(from, *count);
    if (!read_item(one, &(*to)[(*count)++]))
      return false;
  }
  return true;
}

static bool read_sizes(fast_call *self, PyObject *limits, PyObject *solutions) {
  self->size_count = PyTuple_Size(limits);
  if (!(self->limits = PyMem_Calloc(2 * self->size_count + 1, sizeof(int64_t))))
    return false;
  for (Py_ssize_t i = 0; i < self->size_count; i++) {
    long long least, most;
    if (!PyArg_ParseTuple(PyTuple_GetItem(limits, i), "LL", &least, &most))
      return false;
    self->limits[2 * i] = least;
    self->limits[2 * i + 1] = most;
  }
  Py_ssize_t n = PyTuple_Size(solutions);
  if (!(self->solutions = PyMem_Calloc(n + 1, sizeof(solution))))
    return false;
  while (self->solution_count < n) {
    PyObject *one = PyTuple_GetItem(solutions, self->solution_count), *rule;
    solution *to = &self->solutions[self->solution_count++];
    if (!PyArg_ParseTuple(one, "nnnO!", &to->size, &to->argument, &to->axis, &PyTuple_Type, &rule) ||
        !read_expression(rule, &to->rule))
      return false;
  }
  return true;
}

static bool list_integers(fast_call *self) {
  if (!(self->integers = PyMem_Calloc(self->size_count + self->argument_count + 1, sizeof(integer))))
    return false;
  for (Py_ssize_t i = 0; i < self->size_count; i++)
    self->integers[self->integer_count++] = (integer){.index = i, .is_size = true};
  for (Py_ssize_t i = 0; i < self->argument_count; i++)
    if (self->arguments[i].kind == NUMBER && (self->arguments[i].type == 'i' || self->arguments[i].type == 'u'))
      self->integers[self->integer_count++] = (integer){.index = i};
  return true;
}

/* FastCall(address, message, limits, solutions, labels, arguments, buffers, results, slow, name, libraries, may_move) */
static PyObject *make(PyTypeObject *type, PyObject *given, PyObject *named) {
  unsigned long long address, message;
  PyObject *limits, *solutions, *labels, *arguments, *buffers, *results, *slow, *name, *libraries;
  int may_move;
  if (named || !PyArg_ParseTuple(given, "KKO!O!O!O!O!O!OUO!p", &address, &message, &PyTuple_Type, &limits, &PyTuple_Type,
                                 &solutions, &PyTuple_Type, &labels, &PyTuple_Type, &arguments, &PyTuple_Type, &buffers,
                                 &PyTuple_Type, &results, &slow, &name, &PyTuple_Type, &libraries, &may_move))
    return NULL;
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  fast_call *self = (fast_call *)allocate(type, 0);
  if (!self)
    return NULL;
  self->call = (entry_point *)(uintptr_t)address;
  self->message = (const char *(*)(void))(uintptr_t)message;
  Py_INCREF(labels);
  self->labels = labels;
  Py_INCREF(results);
  self->results = results;
  Py_INCREF(slow);
  self->slow = slow;
  Py_INCREF(name);
  self->name = name;
  Py_INCREF(libraries);
  self->libraries = libraries;
  self->may_move = may_move;
  if (!read_items(arguments, &self->arguments, &self->argument_count) ||
      !read_items(buffers, &self->buffers, &self->buffer_count) || !read_sizes(self, limits, solutions) ||
      !list_integers(self)) {
    Py_DECREF(self);
    if (!PyErr_Occurred())
      PyErr_NoMemory();
    return NULL;
  }
  return (PyObject *)self;
}

static void free_items(item *items, Py_ssize_t count) {
  for (Py_ssize_t i = 0; items && i < count; i++) {
    for (Py_ssize_t k = 0; items[i].shape && k < items[i].rank; k++)
      PyMem_Free(items[i].shape[k].steps);
    PyMem_Free(items[i].shape);
    PyMem_Free(items[i].format);
    Py_XDECREF(items[i].allocate);
    Py_XDECREF(items[i].dtype);
    Py_XDECREF(items[i].order);
  }
  PyMem_Free(items);
}

static int traverse(PyObject *object, visitproc visit, void *arg) {
  fast_call *self = (fast_call *)object;
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->labels);
  Py_VISIT(self->results);
  Py_VISIT(self->slow);
  return 0;
}

static int clear(PyObject *object) {
  fast_call *self = (fast_call *)object;
  Py_CLEAR(self->labels);
  Py_CLEAR(self->results);
  Py_CLEAR(self->slow);
  Py_CLEAR(self->name);
  Py_CLEAR(self->libraries);
  return 0;
}

static void dealloc(PyObject *object) {
  fast_call *self = (fast_call *)object;
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  clear(object);
  free_items(self->arguments, self->argument_count);
  free_items(self->buffers, self->buffer_count);
  for (Py_ssize_t i = 0; i < self->solution_count; i++)
    PyMem_Free(self->solutions[i].rule.steps);
  PyMem_Free(self->solutions);
  PyMem_Free(self->limits);
  PyMem_Free(self->integers);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(object);
  Py_DECREF(type);
}

/* --- sizes and shapes ------------------------------------------------------------------------------------------------- */

static int64_t floor_divide(int64_t left, int64_t right) {
  if (right == 0)
    return 0;
  if (right == -1)
    return (int64_t)(0 - (uint64_t)left);
  return left / right - ((left % right != 0) && ((left < 0) != (right < 0)));
}

/* Returns the value. Arithmetic wraps around: a wrong size does not fit any array. */
static int64_t value_of(const expression *e, const int64_t *sizes) {
  uint64_t stack[STACK];
  int top = 0;
  for (Py_ssize_t i = 0; i < e->count; i++) {
    step s = e->steps[i];
    if (s.operation == CONSTANT || s.operation == SYMBOL) {
      stack[top++] = s.operation == CONSTANT ? (uint64_t)s.operand : (uint64_t)sizes[s.operand];
      continue;
    }
    uint64_t right = stack[--top], left = stack[--top];
    stack[top++] = s.operation == ADD        ? left + right
                   : s.operation == SUBTRACT ? left - right
                   : s.operation == MULTIPLY ? left * right
                                             : (uint64_t)floor_divide((int64_t)left, (int64_t)right);
  }
  return (int64_t)stack[0];
}

static bool solve(const fast_call *self, frame *f) {
  for (Py_ssize_t i = 0; i < self->solution_count; i++) {
    const solution *s = &self->solutions[i];
    int64_t extent = f->views[s->argument].shape[s->axis], *size = &f->sizes[s->size];
    *size = 0;
    int64_t at_zero = value_of(&s->rule, f->sizes);
    *size = 1;
    int64_t slope = value_of(&s->rule, f->sizes) - at_zero;
    if (slope == 0 || (extent - at_zero) % slope != 0)
      return false;
    *size = (extent - at_zero) / slope;
  }
  for (Py_ssize_t i = 0; i < self->size_count; i++)
    if (f->sizes[i] < self->limits[2 * i] || f->sizes[i] > self->limits[2 * i + 1])
      return false;
  return true;
}

/* --- arguments ---------------------------------------------------------------------------------------------------------- */

/* True if a format of the buffer protocol means the type: the letter may differ where sizes are equal. */
static bool is_of_type(const item *wanted, const Py_buffer *view) {
  const char *format = view->format ? view->format : "B";
  if (view->itemsize != wanted->bytes)
    return false;
  if (wanted->type == 'V')
    return wanted->format && strcmp(format, wanted->format) == 0;
  if (*format == '@' || *format == '=' || *format == '<')
    format++;
  if (wanted->type == 'c' && *format == 'Z')
    return format[1] == (wanted->bytes == 16 ? 'd' : 'f') && !format[2];
  if (!*format || format[1])
    return false;
  const char *letters = wanted->type == 'f'   ? (wanted->bytes == 8 ? "d" : "f")
                        : wanted->type == 'c' ? (wanted->bytes == 16 ? "D" : "F")
                        : wanted->type == 'i' ? "bhilqn"
                        : wanted->type == 'u' ? "BHILQN"
                                              : "?";
  return strchr(letters, *format) != NULL;
}

static bool take_array(const item *wanted, PyObject *object, Py_buffer *view) {
  int flags = PyBUF_STRIDES | PyBUF_FORMAT | (wanted->is_written ? PyBUF_WRITABLE : 0);
  if (!PyObject_CheckBuffer(object) || PyObject_GetBuffer(object, view, flags) < 0) {
    PyErr_Clear();
    view->obj = NULL;
    return false;
  }
  size_t alignment = wanted->bytes & -wanted->bytes;
  return view->ndim == wanted->rank && is_of_type(wanted, view) &&
         PyBuffer_IsContiguous(view, wanted->is_fortran ? 'F' : 'C') &&
         (uintptr_t)view->buf % (alignment > 8 ? 8 : alignment) == 0;
}

static bool take_integer(PyObject *object, bool is_signed, Py_ssize_t bytes, number *to) {
  PyObject *integer = PyNumber_Index(object);
  if (!integer)
    return false;
  if (is_signed) {
    int overflow;
    to->i = PyLong_AsLongLongAndOverflow(integer, &overflow);
    int shift = 64 - 8 * (int)bytes;
    Py_DECREF(integer);
    return !overflow && !PyErr_Occurred() && (int64_t)((uint64_t)to->i << shift) >> shift == to->i;
  }
  unsigned long long value = PyLong_AsUnsignedLongLong(integer);
  Py_DECREF(integer);
  to->i = (int64_t)value;
  return !PyErr_Occurred() && (bytes == 8 || value >> (8 * bytes) == 0);
}

static bool take_complex(PyObject *object, bool is_double, number *to) {
  PyObject *value = object;
  if (!PyComplex_Check(object) && PyObject_HasAttrString(object, "__complex__"))
    value = PyObject_CallMethod(object, "__complex__", NULL);
  else
    Py_INCREF(value);
  if (!value)
    return false;
  double real = PyComplex_RealAsDouble(value), imaginary = PyErr_Occurred() ? 0 : PyComplex_ImagAsDouble(value);
  Py_DECREF(value);
  if (is_double) {
    to->z[0] = real;
    to->z[1] = imaginary;
  } else {
    to->c[0] = (float)real;
    to->c[1] = (float)imaginary;
  }
  return true;
}

static bool take_number(const item *wanted, PyObject *object, number *to) {
  bool taken = true;
  if (wanted->type == 'f') {
    double value = PyFloat_AsDouble(object);
    if (wanted->bytes == 8)
      to->d = value;
    else
      to->f = (float)value;
  } else if (wanted->type == 'c') {
    taken = take_complex(object, wanted->bytes == 16, to);
  } else {
    taken = (wanted->type != 'p' || !PyLong_Check(object)) &&
            take_integer(object, wanted->type == 'i', wanted->type == 'b' ? 1 : wanted->bytes, to) &&
            (wanted->type != 'b' || to->i <= 1);
  }
  if (taken && !PyErr_Occurred())
    return true;
  PyErr_Clear();
  return false;
}

static bool overlaps(const Py_buffer *a, const Py_buffer *b) {
  const char *x = a->buf, *y = b->buf;
  return a->len && b->len && x < y + b->len && y < x + a->len;
}

/* True if no array that is written shares memory with another. */
static bool are_apart(const fast_call *self, const frame *f) {
  for (Py_ssize_t i = 0; i < self->argument_count; i++)
    for (Py_ssize_t k = 0; self->arguments[i].is_written && k < self->argument_count; k++)
      if (k != i && f->views[k].obj && overlaps(&f->views[i], &f->views[k]))
        return false;
  return true;
}

/* Returns false, without an exception, if an argument does not fit. */
static bool take_arguments(const fast_call *self, PyObject *given, frame *f) {
  if (PyTuple_Size(given) != self->argument_count)
    return false;
  for (; f->view_count < self->argument_count; f->view_count++) {
    const item *wanted = &self->arguments[f->view_count];
    PyObject *object = PyTuple_GetItem(given, f->view_count);
    number *to = &f->numbers[f->view_count];
    f->views[f->view_count].obj = NULL;
    if (wanted->kind == ARRAY) {
      if (!take_array(wanted, object, &f->views[f->view_count])) {
        f->view_count++;
        return false;
      }
    } else if (!take_number(wanted, object, to)) {
      return false;
    } else if (wanted->kind == SIZE) {
      f->sizes[wanted->index] = to->i;
    }
  }
  if (!solve(self, f))
    return false;
  for (Py_ssize_t i = 0; i < self->argument_count; i++)
    for (Py_ssize_t k = 0; self->arguments[i].kind == ARRAY && k < self->arguments[i].rank; k++)
      if (f->views[i].shape[k] != value_of(&self->arguments[i].shape[k], f->sizes))
        return false;
  return are_apart(self, f);
}

/* --- buffers and results ------------------------------------------------------------------------------------------------ */

static void set_one(const item *buffer, number *to) {
  if (buffer->bytes == 4)
    to->f = 1;
  else
    to->d = 1;
}

/* Makes an array, and returns it; `at` is its memory, which lives as long as the array. */
static PyObject *allocated(const item *buffer, const int64_t *sizes, void **at) {
  PyObject *shape = PyTuple_New(buffer->rank);
  for (Py_ssize_t k = 0; shape && k < buffer->rank; k++) {
    PyObject *extent = PyLong_FromLongLong(value_of(&buffer->shape[k], sizes));
    if (!extent)
      Py_CLEAR(shape);
    else
      PyTuple_SetItem(shape, k, extent);
  }
  if (!shape)
    return NULL;
  PyObject *array = PyObject_CallFunctionObjArgs(buffer->allocate, shape, buffer->dtype, buffer->order, NULL);
  Py_DECREF(shape);
  Py_buffer view;
  if (!array)
    return NULL;
  if (PyObject_GetBuffer(array, &view, PyBUF_STRIDES | PyBUF_WRITABLE) < 0) {
    Py_DECREF(array);
    return NULL;
  }
  *at = view.buf;
  PyBuffer_Release(&view);
  return array;
}

static bool fill_buffers(const fast_call *self, PyObject *given, frame *f) {
  for (Py_ssize_t i = 0; i < self->buffer_count; i++) {
    const item *buffer = &self->buffers[i];
    number *own = &f->numbers[self->argument_count + i];
    if (buffer->kind == ARGUMENT) {
      bool is_array = self->arguments[buffer->index].kind == ARRAY;
      f->buffers[i] = is_array ? f->views[buffer->index].buf : &f->numbers[buffer->index];
      if (is_array) {
        f->objects[i] = PyTuple_GetItem(given, buffer->index);
        Py_INCREF(f->objects[i]);
      }
    } else if (buffer->kind == ARRAY) {
      if (!(f->objects[i] = allocated(buffer, f->sizes, &f->buffers[i])))
        return false;
    } else if (buffer->kind != NOTHING) {
      memset(own, 0, sizeof *own);
      if (buffer->kind == ONE)
        set_one(buffer, own);
      f->buffers[i] = own;
    }
  }
  return true;
}

static PyObject *number_object(const item *buffer, const number *from) {
  switch (buffer->type) {
  case 'f':
    return PyFloat_FromDouble(buffer->bytes == 8 ? from->d : from->f);
  case 'c':
    return buffer->bytes == 16 ? PyComplex_FromDoubles(from->z[0], from->z[1])
                               : PyComplex_FromDoubles(from->c[0], from->c[1]);
  case 'b':
    return PyBool_FromLong(from->bytes[0]);
  }
  int shift = 64 - 8 * (int)buffer->bytes;
  uint64_t bits = (uint64_t)from->i << shift;
  return buffer->type == 'i' ? PyLong_FromLongLong((int64_t)bits >> shift) : PyLong_FromUnsignedLongLong(bits >> shift);
}

/* Returns what a description says: an integer is the number of a buffer, a tuple is a tuple of such. */
static PyObject *result(const fast_call *self, PyObject *description, const frame *f) {
  if (!PyTuple_Check(description)) {
    Py_ssize_t i = PyLong_AsSsize_t(description);
    if (!f->objects[i])
      return number_object(&self->buffers[i], f->buffers[i]);
    Py_INCREF(f->objects[i]);
    return f->objects[i];
  }
  Py_ssize_t count = PyTuple_Size(description);
  PyObject *all = PyTuple_New(count);
  for (Py_ssize_t i = 0; all && i < count; i++) {
    PyObject *one = result(self, PyTuple_GetItem(description, i), f);
    if (!one)
      Py_CLEAR(all);
    else
      PyTuple_SetItem(all, i, one);
  }
  return all;
}

static void free_frame(const fast_call *self, frame *f) {
  for (Py_ssize_t i = 0; i < self->buffer_count; i++)
    Py_XDECREF(f->objects[i]);
  for (Py_ssize_t i = 0; i < f->view_count; i++)
    if (f->views[i].obj)
      PyBuffer_Release(&f->views[i]);
  PyMem_Free(f->block);
}

/* --- calls that are interrupted ----------------------------------------------------------------------------------------- */

/* Gives what an interrupted call uses to the list of such calls. */
static void abandon(fast_call *self, PyObject *given, frame *f, companion *c, frame *kept) {
  Py_INCREF((PyObject *)self);
  Py_INCREF(given);
  f->owner = self;
  f->given = given;
  f->companion = c;
  f->next = abandoned;
  *kept = *f;
  abandoned = kept;
}

static void free_ended(void) {
  for (frame **at = &abandoned; *at;) {
    frame *f = *at;
    if (!companion_has_ended(f->companion)) {
      at = &f->next;
      continue;
    }
    *at = f->next;
    companion_is_free(f->companion);
    fast_call *owner = f->owner;
    PyObject *given = f->given;
    free_frame(owner, f);
    PyMem_Free(f);
    Py_DECREF(given);
    Py_DECREF((PyObject *)owner);
    at = &abandoned; /* what was freed may have made calls */
  }
}

static bool have_common(PyObject *left, PyObject *right) {
  for (Py_ssize_t i = 0; i < PyTuple_Size(left); i++)
    for (Py_ssize_t k = 0; k < PyTuple_Size(right); k++)
      if (PyUnicode_Compare(PyTuple_GetItem(left, i), PyTuple_GetItem(right, k)) == 0)
        return true;
  return false;
}

/* Returns false, with an exception, if an abandoned call uses the same variables. */
static bool may_call(const fast_call *self) {
  free_ended();
  for (const frame *f = abandoned; f; f = f->next)
    if (have_common(f->owner->libraries, self->libraries)) {
      PyErr_Format(PyExc_RuntimeError,
                   "%U cannot be called yet: an interrupted call of %U runs on in the same library until it ends; with "
                   "isolated=True, an interrupt ends it",
                   self->name, f->owner->name);
      return false;
    }
  return true;
}

static int64_t integer_of(const frame *f, const integer *i) {
  return i->is_size ? f->sizes[i->index] : f->numbers[i->index].i;
}

/* True if no integer is larger than in calls that have been quick. */
static bool has_been_quick(const fast_call *self, const frame *f) {
  for (Py_ssize_t i = 0; i < self->integer_count; i++)
    if (integer_of(f, &self->integers[i]) > self->integers[i].quick)
      return false;
  return self->knows_quick;
}

/* Remembers how long a call took. A function may take eight times as long where it is twice as large. */
static void learn(fast_call *self, const frame *f, bool is_known, struct timespec start) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  if (is_known && now.tv_nsec == start.tv_nsec && now.tv_sec == start.tv_sec)
    return;
  int64_t took = (now.tv_sec - start.tv_sec) * (int64_t)1000 + (now.tv_nsec - start.tv_nsec) / 1000000;
  for (integer *i = self->integers; i < self->integers + self->integer_count; i++) {
    int64_t value = integer_of(f, i), quick = took < QUICK && value < INT64_MAX / 2 ? 2 * value : value;
    if (took >= LONG && is_known)
      i->quick = 0;
    if (took < LONG && quick > i->quick)
      i->quick = quick;
  }
  self->knows_quick = took < LONG || (self->knows_quick && !is_known);
}

/* Returns the status; INTERRUPTED with an exception. */
static int wait_for(fast_call *self, PyObject *given, frame *f, companion *c, const char **message) {
  bool has_ended = false;
  frame *kept = PyMem_Malloc(sizeof *kept);
  while (!has_ended) {
    Py_BEGIN_ALLOW_THREADS
    has_ended = companion_waits(c);
    Py_END_ALLOW_THREADS
    if (!has_ended && kept && PyErr_CheckSignals() < 0) {
      abandon(self, given, f, c, kept);
      return INTERRUPTED;
    }
  }
  PyMem_Free(kept);
  return companion_status(c, message);
}

/* Returns false, with the exception, if an interrupt left a callback (callbacks.py). */
static bool callbacks_went_on(const fast_call *self, PyObject *given) {
  for (Py_ssize_t i = 0; i < self->argument_count; i++) {
    PyObject *interrupt =
        self->arguments[i].type == 'p' ? PyObject_GetAttrString(PyTuple_GetItem(given, i), "interrupt") : NULL;
    bool is_one = interrupt && interrupt != Py_None;
    if (is_one)
      PyErr_SetObject(PyExc_KeyboardInterrupt, interrupt);
    else
      PyErr_Clear();
    Py_XDECREF(interrupt);
    if (is_one)
      return false;
  }
  return true;
}

static PyObject *result_of(const fast_call *self, PyObject *given, int status, const char *message, const frame *f) {
  if (status == 0)
    return result(self, PyTuple_GetItem(self->results, 0), f);
  if (status == 1)
    return PyErr_Format(PyExc_RuntimeError, "C++ exception: %s", message);
  if (status == 3)
    return callbacks_went_on(self, given) ? PyErr_Format(PyExc_RuntimeError, "%s", message) : NULL;
  return status == INTERRUPTED ? NULL : PyErr_NoMemory();
}

static PyObject *run(fast_call *self, PyObject *given, frame *f) {
  if (!fill_buffers(self, given, f))
    return NULL;
  const char *message = NULL;
  bool is_known = has_been_quick(self, f);
  bool may_be_long = self->may_move && !is_known && is_main_thread();
  struct timespec start;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &start);
  companion *c = may_be_long ? companion_calls(self->call, self->message, f->buffers, f->sizes) : NULL;
  int status;
  if (c) {
    status = wait_for(self, given, f, c, &message);
  } else {
    Py_BEGIN_ALLOW_THREADS
    status = self->call(f->buffers, f->sizes);
    Py_END_ALLOW_THREADS
    message = status ? self->message() : NULL;
  }
  learn(self, f, is_known, start);
  PyObject *returned = result_of(self, given, status, message, f);
  if (c && status != INTERRUPTED)
    companion_is_free(c);
  return returned;
}

/* Returns the result; NULL without an exception if an argument does not fit. */
static PyObject *attempt(fast_call *self, PyObject *given) {
  if (abandoned && !may_call(self))
    return NULL;
  Py_ssize_t numbers = self->argument_count + self->buffer_count;
  size_t bytes = sizeof(Py_buffer) * self->argument_count + sizeof(number) * numbers +
                 2 * sizeof(void *) * self->buffer_count + sizeof(int64_t) * (self->size_count + 1);
  char *block = PyMem_Malloc(bytes);
  if (!block)
    return PyErr_NoMemory();
  frame f = {.block = block};
  f.numbers = (number *)block;
  f.views = (Py_buffer *)(f.numbers + numbers);
  f.buffers = (void **)(f.views + self->argument_count);
  f.objects = (PyObject **)(f.buffers + self->buffer_count);
  f.sizes = (int64_t *)(f.objects + self->buffer_count);
  memset(f.buffers, 0, 2 * sizeof(void *) * self->buffer_count);
  PyObject *returned = take_arguments(self, given, &f) ? run(self, given, &f) : NULL;
  if (!f.companion)
    free_frame(self, &f);
  return returned;
}

/* Returns all arguments in order; NULL without an exception if they are not the right ones. */
static PyObject *in_order(const fast_call *self, PyObject *given, PyObject *named) {
  Py_ssize_t count = PyTuple_Size(given), wanted = PyTuple_Size(self->labels);
  if (!named || !PyDict_Size(named)) {
    Py_INCREF(given);
    return given;
  }
  if (count + PyDict_Size(named) != wanted)
    return NULL;
  PyObject *all = PyTuple_New(wanted);
  for (Py_ssize_t i = 0; all && i < wanted; i++) {
    PyObject *one = i < count ? PyTuple_GetItem(given, i) : PyDict_GetItemWithError(named, PyTuple_GetItem(self->labels, i));
    if (one) {
      Py_INCREF(one);
      PyTuple_SetItem(all, i, one);
    } else {
      Py_CLEAR(all);
    }
  }
  return all;
}

static PyObject *call(PyObject *object, PyObject *given, PyObject *named) {
  fast_call *self = (fast_call *)object;
  PyObject *all = in_order(self, given, named);
  PyObject *returned = all ? attempt(self, all) : NULL;
  Py_XDECREF(all);
  if (returned || PyErr_Occurred())
    return returned;
  PyObject *converted = PyObject_Call(self->slow, given, named);
  if (!converted)
    return NULL;
  if (PyTuple_Check(converted))
    returned = attempt(self, converted);
  else if (PyList_Check(converted) && (returned = PyList_GetItem(converted, 0)))
    Py_INCREF(returned); /* the converter has made the call itself */
  Py_DECREF(converted);
  if (!returned && !PyErr_Occurred())
    PyErr_SetString(PyExc_TypeError, "the arguments do not fit the signature");
  return returned;
}

static PyObject *reduce(PyObject *object, PyObject *unused) {
  (void)unused;
  return PyObject_CallMethod(((fast_call *)object)->slow, "reduce", NULL);
}

static PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, "Says what another process makes the method of."},
                                {NULL, NULL, 0, NULL}};
static PyType_Slot type_slots[] = {{Py_tp_new, make},           {Py_tp_dealloc, dealloc}, {Py_tp_call, call},
                                   {Py_tp_traverse, traverse},  {Py_tp_clear, clear}, {Py_tp_methods, methods},
                                   {Py_tp_doc, "Calls an entry point with arrays and numbers."}, {0, NULL}};
static PyType_Spec type_spec = {"enzyme_cc.functions.fast_call.FastCall", sizeof(fast_call), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE, type_slots};

static int fill_module(PyObject *module) {
  PyObject *type = PyType_FromModuleAndSpec(module, &type_spec, NULL);
  int status = type ? PyModule_AddType(module, (PyTypeObject *)type) : -1;
  Py_XDECREF(type);
  return status;
}

/* A library that is loaded later comes behind libc and libm: its own `step`, `error` or `gamma` would be theirs. With
   RTLD_DEEPBIND, it comes first. But then it also passes over a malloc that has taken the place of libc's, such as a
   sanitizer's. */
static int own_names_first(void) {
#ifdef RTLD_DEEPBIND
  void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (libc && dlsym(libc, "malloc") == dlsym(RTLD_DEFAULT, "malloc"))
    return RTLD_DEEPBIND;
#endif
  return 0;
}

/* loaded(path, *symbols): the addresses of symbols of a shared library, which stays loaded */
static PyObject *loaded(PyObject *unused, PyObject *given) {
  (void)unused;
  Py_ssize_t count = PyTuple_Size(given);
  PyObject *path = NULL;
  if (count < 1 || !PyUnicode_FSConverter(PyTuple_GetItem(given, 0), &path))
    return NULL;
  void *library = dlopen(PyBytes_AsString(path), RTLD_NOW | RTLD_LOCAL | own_names_first());
  Py_DECREF(path);
  if (!library)
    return PyErr_Format(PyExc_OSError, "%s", dlerror());
  PyObject *addresses = PyTuple_New(count - 1);
  for (Py_ssize_t i = 1; addresses && i < count; i++) {
    PyObject *name = PyUnicode_AsUTF8String(PyTuple_GetItem(given, i));
    void *symbol = name ? dlsym(library, PyBytes_AsString(name)) : NULL;
    PyObject *address = symbol ? PyLong_FromVoidPtr(symbol) : NULL;
    Py_XDECREF(name);
    if (!address) {
      if (!PyErr_Occurred())
        PyErr_Format(PyExc_OSError, "%s", dlerror());
      Py_CLEAR(addresses);
    } else {
      PyTuple_SetItem(addresses, i - 1, address);
    }
  }
  return addresses;
}

static PyMethodDef functions[] = {
    {"loaded", loaded, METH_VARARGS, "Loads a shared library; returns the addresses of symbols."}, {NULL, NULL, 0, NULL}};
static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, fill_module}, {0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "fast_call", "Calls of entry points.", 0, functions, module_slots,
                                    NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_fast_call(void) { return PyModuleDef_Init(&module); }
