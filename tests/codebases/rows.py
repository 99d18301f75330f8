"""The code bases: each is one row.

Builds leave out what is not linked here: tests, tools, interfaces to other languages, shared libraries. QuantLib is
built in part, for the whole of it takes most of an hour.
"""

from __future__ import annotations

from tests.codebases.codebase import HERE, Codebase

_CMAKE = "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF"
_MAKE = "make -C build"
#: flang is unknown to CMake before 3.28, which would compile it without optimising
_FORTRAN = "-DCMAKE_Fortran_FLAGS_RELEASE=-O2"
_OPENMPI = "/usr/lib/x86_64-linux-gnu/openmpi"
_NOT_OF_HYPRE = (HERE / "hypre" / "inactive.txt").read_text().split()

GSL = Codebase(
    "gsl",
    "gsl",
    # Debian's tarball has no texts in doc/
    ("./configure --quiet --disable-shared", "make SUBDIRS=\"$(sed -n '/^SUBDIRS = /{s///;s/ doc\\b//;p}' Makefile)\""),
    (".libs/libgsl.a", "cblas/.libs/libgslcblas.a"),
)
CODEBASES = (
    Codebase(
        "cminpack",
        "cminpack",
        ("make CC=$CC libcminpack.a",),
        ("libcminpack.a",),
        code=("*",),
        tests=(
            "make -C examples ctest ctesthydrv ctestchkdrv CC=$CC LIBSUFFIX= LDADD=-lm",
            "cd examples && for made in *.out; do diff ref/${made%.out}.ref $made; done",
        ),
    ),
    Codebase(
        "minpack",
        "minpack",
        ("autoreconf -i 2>/dev/null || true", "./configure --quiet --disable-shared F77=$FC", "make"),
        (".libs/libminpack.a",),
        code=("*",),
        linker="enzyme-fc",
    ),
    Codebase(
        "erfa",
        "erfa",
        ("autoreconf -i", "./configure --quiet --disable-shared", "make"),
        ("src/.libs/liberfa.a",),
        includes=("src",),
        code=("src/*",),
        tests=("make check",),
    ),
    GSL,
    Codebase(
        "lapack",
        "lapack",
        (
            f"{_CMAKE} {_FORTRAN} -DBUILD_SINGLE=OFF -DBUILD_COMPLEX=OFF",
            f"{_MAKE} blas lapack",
        ),
        ("build/lib/liblapack.a", "build/lib/libblas.a"),
        code=("SRC/d*", "SRC/[il]*", "BLAS/SRC/*"),
        linker="enzyme-fc",
    ),
    Codebase(
        "libxc",
        "libxc",
        (_CMAKE, f"{_MAKE} xc"),
        ("build/libxc.a",),
        # calls through pointers may reach all functionals
        libraries=("-lm", "-Wl,--enzyme-candidate=lda_c_pw.c", "-Wl,--enzyme-candidate=gga_x_pbe.c"),
        includes=("src", "build", "build/gen_funcidx"),
        code=("src/**/*",),
    ),
    Codebase(
        "fftw3",
        "fftw3",
        (f"{_CMAKE} -DBUILD_TESTS=OFF", f"{_MAKE} fftw3"),
        ("build/libfftw3.a",),
        includes=("api",),
        code=("api/*", "kernel/*", "dft/**/*", "rdft/**/*", "reodft/*"),
        tests=(
            f"{_CMAKE} -DBUILD_TESTS=ON",
            f"{_MAKE} bench",
            "perl -w tests/check.pl -r -c=1 -v $PWD/build/bench",
            "perl -w tests/check.pl -r --estimate -c=5 -v $PWD/build/bench",
        ),
    ),
    Codebase(
        "proj",
        "proj",
        (f"{_CMAKE} -DENABLE_TIFF=OFF -DENABLE_CURL=OFF -DBUILD_APPS=OFF", f"{_MAKE} proj"),
        ("build/lib/libproj.a",),
        includes=("src",),
        code=("src/**/*", "include/**/*"),
        libraries=("-lsqlite3", "-lm", "-lpthread", "-ldl"),
        headers=("libgtest-dev",),
        tests=(
            f"{_CMAKE} -B check -DBUILD_TESTING=ON -DENABLE_TIFF=OFF -DENABLE_CURL=OFF -DBUILD_APPS=OFF"
            " -DGTest_DIR=$(echo $HEADERS/../lib/*/cmake/GTest)",
            "make -C check",
            # the others need what is left out: TIFF, a network, programs
            "GTEST_FILTER='-*gtiff*:*fullname_caching:gie.info_functions' ctest --test-dir check"
            " -R '^(proj_.*test|proj_test_cpp_api|pj_phi2_test|gie_self_tests|test_(defmodel|tinshift|misc|fork))$'",
        ),
    ),
    Codebase(
        "wcslib",
        "wcslib",
        (
            "autoconf",
            "./configure --quiet --disable-fortran --disable-utils --without-pgplot --without-cfitsio",
            "make -C C lib",
        ),
        ("C/libwcs-7.12.a",),
        includes=("C", "."),
        code=("C/*",),
        tests=("make -C C check > check.log", "! grep FAIL check.log"),
    ),
    Codebase(
        "nlopt",
        "nlopt",
        (
            f"{_CMAKE} -DNLOPT_PYTHON=OFF -DNLOPT_OCTAVE=OFF -DNLOPT_MATLAB=OFF -DNLOPT_GUILE=OFF -DNLOPT_SWIG=OFF",
            f"{_MAKE} nlopt",
        ),
        ("build/libnlopt.a",),
        includes=("build", "src/api"),
        code=("src/**/*",),
    ),
    Codebase("libsvm", "libsvm", ("make CXX=$CXX svm.o",), ("svm.o",), code=("svm.*",)),
    Codebase(
        "box2d",
        "box2d",
        (f"{_CMAKE} -DBOX2D_BUILD_UNIT_TESTS=OFF -DBOX2D_BUILD_TESTBED=OFF", f"{_MAKE} box2d"),
        ("build/bin/libbox2d.a",),
        includes=("include",),
        code=("src/**/*", "include/**/*"),
    ),
    Codebase(
        "sundials",
        "sundials",
        (
            f"{_CMAKE} -DEXAMPLES_ENABLE_C=OFF -DBUILD_ARKODE=OFF -DBUILD_CVODES=OFF -DBUILD_IDA=OFF -DBUILD_IDAS=OFF "
            "-DBUILD_KINSOL=OFF",
            _MAKE,
        ),
        tuple(
            f"build/src/{part}.a"
            for part in (
                "cvode/libsundials_cvode",
                "nvector/serial/libsundials_nvecserial",
                "sunmatrix/dense/libsundials_sunmatrixdense",
                "sunlinsol/dense/libsundials_sunlinsoldense",
                "sunnonlinsol/newton/libsundials_sunnonlinsolnewton",
                "sunnonlinsol/fixedpoint/libsundials_sunnonlinsolfixedpoint",
                "sundials/libsundials_generic",
            )
        ),
        includes=("include", "build/include"),
        code=tuple(f"src/{part}/**/*" for part in ("cvode", "nvector", "sunmatrix", "sunlinsol", "sundials")),
    ),
    Codebase(
        "quantlib",
        "quantlib",
        (
            "./configure --quiet --disable-shared --with-boost-include=$HEADERS",
            "make -C ql/math/distributions",
            "make -C ql/math errorfunction.lo",
            "make -C ql/pricingengines blackcalculator.lo blackformula.lo",
            "make -C ql/instruments payoffs.lo",
            "make -C ql/utilities",
            "make -C ql errors.lo exercise.lo",
            "ar rcs libpart.a ql/*.o ql/math/*.o ql/math/distributions/*.o ql/pricingengines/*.o ql/instruments/*.o",
        ),
        ("libpart.a",),
        headers=("libboost1.81-dev",),
        code=("ql/math/distributions/*", "ql/pricingengines/black*", "ql/instruments/payoffs*", "ql/errors*"),
    ),
    Codebase(
        "liblbfgs",
        "liblbfgs",
        ("touch NEWS README AUTHORS ChangeLog", "autoreconf -i", "./configure --quiet --disable-shared", "make -C lib"),
        ("lib/.libs/liblbfgs.a",),
        includes=("include",),
        code=("lib/*", "include/*"),
    ),
    Codebase(
        "suitesparse",
        "suitesparse",
        (
            "make -C SuiteSparse_config library CC=$CC",
            *(
                f"make -C {part} static CC=$CC"
                for part in ("AMD", "BTF", "CAMD", "CCOLAMD", "COLAMD", "KLU", "CSparse")
            ),
            "make -C CHOLMOD static CC=$CC CUDA=no CFOPENMP= CHOLMOD_CONFIG=-DNPARTITION",
        ),
        (
            *(
                f"{part}/Lib/lib{part.lower()}.a"
                for part in ("CHOLMOD", "KLU", "BTF", "CCOLAMD", "CAMD", "COLAMD", "AMD")
            ),
            "CSparse/Lib/libcsparse.a",
            "SuiteSparse_config/libsuitesparseconfig.a",
        ),
        includes=(
            *(f"{part}/Include" for part in ("KLU", "BTF", "COLAMD", "AMD", "CHOLMOD", "CSparse")),
            "SuiteSparse_config",
        ),
        code=(
            *(
                f"{part}/{of}/*"
                for part in ("AMD", "BTF", "CAMD", "CCOLAMD", "COLAMD", "KLU", "CSparse")
                for of in ("Source", "Include")
            ),
            *(
                f"CHOLMOD/{of}/*"
                for of in ("Check", "Cholesky", "Core", "Include", "MatrixOps", "Modify", "Supernodal")
            ),
            "SuiteSparse_config/*",
        ),
        uses=("lapack",),
        linker="enzyme-fc",
    ),
    Codebase(
        "geographiclib",
        "geographiclib",
        (f"{_CMAKE} -DBUILD_SHARED_LIBS=OFF -DBUILD_BOTH_LIBS=OFF", f"{_MAKE} GeographicLib_STATIC"),
        ("build/src/libGeographicLib.a",),
        includes=("include", "build/include"),
        code=("src/*", "include/**/*"),
    ),
    Codebase("boost_math", "", includes=(), headers=("libboost1.81-dev",)),
    Codebase("eigen", "eigen3", code=("Eigen/**/*",), linker="enzyme-c++"),
    Codebase(
        "armadillo",
        "armadillo",
        includes=("include",),
        code=("include/**/*",),
        libraries=("-lstdc++", "-lm"),
        uses=("lapack",),
        linker="enzyme-fc",
    ),
    Codebase(
        "glpk",
        "glpk",
        ("./configure --quiet --disable-shared", "make -C src"),
        ("src/.libs/libglpk.a",),
        includes=("src",),
        code=("src/**/*",),
    ),
    Codebase(
        "liblinear",
        "liblinear",
        ("make CXX=$CXX linear.o tron.o",),
        ("linear.o", "tron.o"),
        code=("*",),
        uses=("lapack",),
        libraries=("-lstdc++", "-lm"),
        linker="enzyme-fc",
    ),
    Codebase(
        "kissfft",
        "kissfft",
        ("$CC -O2 -g -Dkiss_fft_scalar=double -c kiss_fft.c kiss_fftr.c", "ar rcs libkissfft.a kiss_fft.o kiss_fftr.o"),
        ("libkissfft.a",),
        code=("kiss_fft*",),
        flags=("-O2", "-Dkiss_fft_scalar=double"),
    ),
    Codebase("dlib", "dlib", code=("dlib/optimization/**/*", "dlib/matrix/**/*")),
    # its build makes shared libraries only
    Codebase(
        "libfann",
        "libfann",
        ("$CC -O2 -Isrc/include -c src/doublefann.c -o doublefann.o", "ar rcs libdoublefann.a doublefann.o"),
        ("libdoublefann.a",),
        includes=("src/include",),
        code=("src/**/*",),
    ),
    Codebase(
        "lcms2",
        "lcms2",
        (
            "sed -i 's/^typedef float  *cmsFloat32Number;/typedef double cmsFloat32Number;/' include/lcms2.h",
            "./configure --quiet --disable-shared",
            "make -C src",
        ),
        ("src/.libs/liblcms2.a",),
        includes=("include",),
        code=("src/*",),
        # stages of pipelines are tables of functions: a run says which ones there are
        libraries=("-lm", "-lpthread", f"-Wl,--enzyme-use-calls={HERE / 'lcms2' / 'calls.txt'}"),
    ),
    Codebase(
        "lua",
        "lua5.4",
        # a link takes 100 to 130 seconds beside other work
        ("make -C src CC=$CC MYCFLAGS=-DLUA_USE_POSIX a",),
        ("src/liblua.a",),
        includes=("src",),
        code=("src/*",),
        linker="enzyme-cc",
    ),
    Codebase(
        "muparser",
        "muparser",
        (f"{_CMAKE} -DENABLE_SAMPLES=OFF -DENABLE_OPENMP=OFF", f"{_MAKE} muparser"),
        ("build/libmuparser.a",),
        includes=("include",),
        code=("src/*", "include/*"),
    ),
    Codebase(
        "voro++",
        "voro++",
        ("make -C src CXX=$CXX libvoro++.a",),
        ("src/libvoro++.a",),
        includes=("src",),
        code=("src/*",),
    ),
    Codebase(
        "ode",
        "ode",
        (
            "./configure --quiet --disable-shared --enable-double-precision --disable-threading-intf --disable-demos"
            " --without-x",
            "make",
        ),
        ("ode/src/.libs/libode.a",),
        includes=("include",),
        code=("ode/src/**/*", "include/**/*"),
        libraries=("-lm", "-lpthread"),
    ),
    Codebase(
        "scs",
        "scs-3.3.1",
        ("make -C scs_source CC=$CC USE_LAPACK=0 out/libscsdir.a",),
        ("scs_source/out/libscsdir.a",),
        includes=("scs_source/include",),
        code=("scs_source/src/*", "scs_source/linsys/*", "scs_source/linsys/cpu/direct/*"),
    ),
    Codebase(
        "osqp",
        "osqp-0.6.7.post3",
        (
            # the distribution of PyPI has no examples, and CMake asks for one
            "mkdir -p osqp_sources/examples && echo 'int main(void) { return 0; }' >osqp_sources/examples/osqp_demo.c",
            "cmake -S osqp_sources -B build -DCMAKE_BUILD_TYPE=Release -DENABLE_MKL_PARDISO=OFF",
            f"{_MAKE} osqpstatic",
        ),
        ("build/out/libosqp.a",),
        includes=("osqp_sources/include",),
        code=("osqp_sources/src/*", "osqp_sources/lin_sys/direct/qdldl/**/*"),
        libraries=("-lm", "-ldl"),
    ),
    Codebase(
        "rebound",
        "rebound-5.2.2",
        # as setup.py does, which makes a module of Python from the objects
        (
            "cd src && $CC -O3 -ffp-contract=off -fstrict-aliasing -std=c99 -D_GNU_SOURCE -DSERVER -fPIC -c *.c",
            "cd src && as --noexecstack -o whfast512_asm.o integrator_whfast512.s",
            "cd src && ar rcs librebound.a *.o",
        ),
        ("src/librebound.a",),
        includes=("src",),
        code=("src/*",),
        linker="enzyme-cc",
    ),
    Codebase(
        "hypre",
        "hypre",
        (
            "cd src && OMPI_CC=$CC OMPI_CXX=$CXX ./configure --disable-fortran --without-fei --without-mli"
            " --without-superlu CC=mpicc.openmpi CXX=mpicxx.openmpi",
            "make -C src OMPI_CC=$CC OMPI_CXX=$CXX",
        ),
        ("src/hypre/lib/libHYPRE.a",),
        includes=("src/hypre/include", f"{_OPENMPI}/include"),
        code=tuple(f"src/{part}/*" for part in ("IJ_mv", "krylov", "parcsr_ls", "parcsr_mv", "seq_mv", "utilities")),
        # parts of BoomerAMG that the program does not choose, and what moves integers; a link takes 150 seconds
        libraries=("-lm", f"-L{_OPENMPI}/lib", "-lmpi", f"--enzyme-inactive={','.join(_NOT_OF_HYPRE)}"),
        linker="enzyme-cc",
        runs=tuple(f"mpirun.openmpi --allow-run-as-root --oversubscribe -np {ranks} ./program" for ranks in (1, 2)),
    ),
)
BY_NAME = {codebase.name: codebase for codebase in CODEBASES}
