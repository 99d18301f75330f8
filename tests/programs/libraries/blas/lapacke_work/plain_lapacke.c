/* Native code, for matrices by columns. */
#include "lapacke.h"
void dgetrf_(int *, int *, double *, int *, int *, int *), dgetri_(int *, double *, int *, const int *, double *, int *, int *);
void zheev_(char *, char *, int *, Z *, int *, double *, Z *, int *, double *, int *);
int LAPACKE_dgetrf_work(int layout, int m, int n, double *a, int lda, int *ipiv) {
  int info;
  dgetrf_(&m, &n, a, &lda, ipiv, &info);
  return info;
}
int LAPACKE_dgetri_work(int layout, int n, double *a, int lda, const int *ipiv, double *work, int lwork) {
  int info;
  dgetri_(&n, a, &lda, ipiv, work, &lwork, &info);
  return info;
}
int LAPACKE_zheev_work(int layout, char jobz, char uplo, int n, Z *a, int lda, double *w, Z *work, int lwork, double *rwork) {
  int info;
  zheev_(&jobz, &uplo, &n, a, &lda, w, work, &lwork, rwork, &info);
  return info;
}
