/* The program of each method: two coupled decays. A file defines METHOD and includes this. */
#define TOLERANCE 1e-5 /* the steps that it chooses depend on the arguments */
#include "check.h"
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

struct solver {
  SUNContext context;
  N_Vector state;
  SUNMatrix matrix;
  SUNLinearSolver linear;
  void *cvode;
};
static struct solver before;

static int rates(realtype t, N_Vector state, N_Vector slope, void *data) {
  const double *k = data, *y = NV_DATA_S(state);
  double *dy = NV_DATA_S(slope);
  dy[0] = -k[0] * y[0] + 0.1 * y[1] * y[1];
  dy[1] = k[0] * y[0] - k[1] * y[1] + 0.05 * sin(t);
  return 0;
}

static struct solver make(void) {
  struct solver s;
  SUNContext_Create(NULL, &s.context);
  s.state = N_VNew_Serial(2, s.context);
  NV_Ith_S(s.state, 0) = 1, NV_Ith_S(s.state, 1) = 0;
  s.cvode = CVodeCreate(METHOD, s.context);
  CVodeInit(s.cvode, rates, 0, s.state);
  CVodeSStolerances(s.cvode, 1e-10, 1e-12);
  s.matrix = SUNDenseMatrix(2, 2, s.context);
  s.linear = SUNLinSol_Dense(s.state, s.matrix, s.context);
  CVodeSetLinearSolver(s.cvode, s.linear, s.matrix);
  CVodeSetMaxNumSteps(s.cvode, 5000);
  return s;
}

static double solved(struct solver *s, double *x) {
  double t;
  NV_Ith_S(s->state, 0) = x[2], NV_Ith_S(s->state, 1) = 0.2;
  CVodeSetUserData(s->cvode, x);
  CVodeReInit(s->cvode, 0, s->state);
  CVode(s->cvode, 2, s->state, &t, CV_NORMAL);
  return NV_Ith_S(s->state, 0) + 2 * NV_Ith_S(s->state, 1);
}

static double outside(double *x) { return solved(&before, x); }

static double inside(double *x) {
  struct solver s = make();
  double value = solved(&s, x);
  CVodeFree(&s.cvode);
  SUNLinSolFree(s.linear);
  SUNMatDestroy(s.matrix);
  N_VDestroy(s.state);
  SUNContext_Free(&s.context);
  return value;
}

int main(void) {
  before = make();
  CHECK_HANDLE(inside, outside, 0.8, 0.3, 1.1);
  return failures;
}
