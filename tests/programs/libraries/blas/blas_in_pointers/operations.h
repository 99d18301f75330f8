/* What a solver calls through pointers. */
typedef const int *I;
typedef const double *X;
typedef void product(const char *, const char *, I, I, I, X, X, I, X, I, X, double *, I);
typedef void factor(const char *, I, double *, I, int *);
typedef void solve(const char *, const char *, const char *, const char *, I, I, X, X, I, double *, I);
typedef double dot(int, const double *, int, const double *, int);
typedef struct {
  product *multiply;
  factor *cholesky;
  solve *triangular;
} operations;

extern product dgemm_;
extern factor dpotrf_;
extern solve dtrsm_;
extern dot cblas_ddot;

operations *made_operations(void), *native_operations(void);
dot *chosen_dot(int);
