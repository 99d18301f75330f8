/* The optimum of a linear programme by the simplex method, by its right-hand sides: the derivatives are the dual values. */
#include "check.h"
#include <glpk.h>

static glp_prob *before;

static glp_prob *make(void) {
  static const int row[] = {0, 1, 1, 1, 2, 2, 2, 3, 3, 3}, column[] = {0, 1, 2, 3, 1, 2, 3, 1, 2, 3};
  static const double value[] = {0, 1, 1, 1, 10, 4, 5, 2, 2, 6}, cost[] = {0, 10, 6, 4};
  glp_prob *problem = glp_create_prob();
  glp_set_obj_dir(problem, GLP_MAX);
  glp_add_rows(problem, 3);
  glp_add_cols(problem, 3);
  for (int j = 1; j <= 3; j++) {
    glp_set_col_bnds(problem, j, GLP_LO, 0, 0);
    glp_set_obj_coef(problem, j, cost[j]);
  }
  glp_load_matrix(problem, 9, row, column, value);
  return problem;
}

static double optimum(glp_prob *problem, const double *x) {
  glp_smcp parameter;
  glp_init_smcp(&parameter);
  parameter.msg_lev = GLP_MSG_OFF;
  for (int i = 1; i <= 3; i++)
    glp_set_row_bnds(problem, i, GLP_UP, 0, x[i - 1]);
  glp_std_basis(problem);
  glp_simplex(problem, &parameter);
  return glp_get_obj_val(problem) + glp_get_col_prim(problem, 1);
}

static double outside(double *x) { return optimum(before, x); }

static double inside(double *x) {
  glp_prob *problem = make();
  double value = optimum(problem, x);
  glp_delete_prob(problem);
  return value;
}

int main(void) {
  before = make();
  CHECK_HANDLE(inside, outside, 100, 600, 300);
  return failures;
}
