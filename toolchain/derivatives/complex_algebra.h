/* All of BLAS and LAPACK for one complex type. */
#include "blas_natives.h"
#include "lapack_natives.h"
#include "matrices.h"
#include "blas_level3.h"
#define HERMITIAN 0
#include "blas_symmetric.h"
#undef HERMITIAN
#define HERMITIAN 1
#include "blas_symmetric.h"
#undef HERMITIAN
#include "blas_names.h"
#include "blas_vectors.h"
#include "blas_vector_names.h"
#include "blas_complex.h"
#include "lapack_cholesky.h"
#include "lapack_lu.h"
#include "lapack_names.h"
#include "lapack_eigen.h"
#include "lapack_inverse.h"
#include "lapack_svd.h"
#include "lapack_divided.h"
#include "lapack_norms.h"
#include "lapack_reflections.h"
#include "lapack_qr.h"
#include "lapack_least_squares.h"
#include "lapack_indefinite.h"
#define HERMITIAN 0
#include "lapack_symmetric.h"
#undef HERMITIAN
#define HERMITIAN 1
#include "lapack_symmetric.h"
#undef HERMITIAN
#include "lapack_banded.h"
#include "lapack_eigen_variants.h"
#include "lapack_complex_eigen.h"
#include "lapack_eigen_names.h"
#include "lapack_expert.h"
#include "lapack_sylvester.h"
#include "lapack_work_names.h"
