typedef double _Complex Z;
int LAPACKE_dgetrf_work(int layout, int m, int n, double *a, int lda, int *ipiv);
int LAPACKE_dgetri_work(int layout, int n, double *a, int lda, const int *ipiv, double *work, int lwork);
int LAPACKE_zheev_work(int layout, char jobz, char uplo, int n, Z *a, int lda, double *w, Z *work, int lwork, double *rwork);
