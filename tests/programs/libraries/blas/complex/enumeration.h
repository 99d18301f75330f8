/* The options of each routine of BLAS with complex numbers. */
#include "../options.h"
enum { ALL = 6 * SIZE + 4, TRIANGULAR = 34, ROUTINES = 42 };

/* u: a triangle, t: three operations, y: without C, h: without T, v: a second one, d: a unit diagonal, s: sides,
 * i: increments, n: only positive ones, b: beta may be 0, w: it scales the whole of a matrix, a: operands may be the same */
static const struct { const char *name, *has; } table[ROUTINES] = {
    {"axpy", "i"}, {"scal", "in"}, {"copy", "i"}, {"swap", "i"}, {"dotu", "i"}, {"dotc", "i"}, {"nrm2", "in"}, {"asum", "in"},
    {"dscal", "in"}, {"drot", "i"}, {"rotg", ""}, {"iamax", "in"}, {"gemv", "tib"}, {"gbmv", "tib"}, {"geru", "i"},
    {"gerc", "i"}, {"hemv", "uib"}, {"hbmv", "uib"}, {"hpmv", "uib"}, {"her", "ui"}, {"hpr", "ui"}, {"her2", "ui"},
    {"hpr2", "ui"}, {"gemm", "tvbwa"}, {"symm", "subw"}, {"hemm", "subw"}, {"syrk", "uyb"}, {"herk", "uhb"},
    {"syr2k", "uyba"}, {"her2k", "uhba"}, {"symv", "uib"}, {"spmv", "uib"}, {"syr", "ui"}, {"spr", "ui"}, {"trmv", "utdi"},
    {"tbmv", "utdi"}, {"tpmv", "utdi"}, {"trsv", "utdi"}, {"tbsv", "utdi"}, {"tpsv", "utdi"}, {"trmm", "sutd"}, {"trsm", "sutd"}};

static int has(int routine, char option) { return strchr(table[routine].has, option) != NULL; }

/* Takes a digit of the number of a case if the routine has the option. */
static int digit(int *number, int count, int is_there) {
  int found = is_there ? *number % count : 0;
  if (is_there) *number /= count;
  return found;
}

/* The number-th case of a routine. Returns 0 if there is none. */
static int next_case(int routine, int number, struct options *o) {
  int size = digit(&number, 4, 1), uplo = digit(&number, 2, has(routine, 'u')), diag = digit(&number, 2, has(routine, 'd'));
  int trans = has(routine, 't') ? digit(&number, 3, 1) : digit(&number, 2, has(routine, 'y') || has(routine, 'h'));
  int trans2 = digit(&number, 3, has(routine, 'v')), side = digit(&number, 2, has(routine, 's'));
  int increments = digit(&number, 4, has(routine, 'i')), beta = digit(&number, 2, has(routine, 'b'));
  *o = options_of(routine, 0, size);
  o->side = "Lr"[side], o->uplo = "Ul"[uplo], o->diag = "nU"[diag], o->trans2 = "NtC"[trans2];
  o->trans = has(routine, 'h') ? "Nc"[trans] : "NTC"[trans];
  o->incx = (int[]){1, 2, -1, -2}[increments], o->incy = (int[]){1, -2, 2, -1}[increments];
  o->alias = size == 3 && has(routine, 'a');
  o->is_whole = beta && has(routine, 'w');
  o->is_beta_0 = beta;
  if (o->incx < 0 && has(routine, 'n')) o->incx = -o->incx;
  return number == 0;
}
