/* The names of our options: written by `python -m tests.toolchain.own_names` of enzyme_cc/link/command/settings.py and
   enzyme_cc/report/catalogue.py. */
static const char *const own_names[] = {
    "--enzyme-candidate",
    "--enzyme-check",
    "--enzyme-clang",
    "--enzyme-closure",
    "--enzyme-derivatives",
    "--enzyme-diagnostics",
    "--enzyme-explain",
    "--enzyme-follow-text",
    "--enzyme-help",
    "--enzyme-inactive",
    "--enzyme-native-linker",
    "--enzyme-no-cache",
    "--enzyme-no-library-units",
    "--enzyme-no-preopt",
    "--enzyme-precision-report",
    "--enzyme-remarks",
    "--enzyme-save-temps",
    "--enzyme-serial-regions",
    "--enzyme-strict-math",
    "--enzyme-tape-report",
    "--enzyme-timings",
    "--enzyme-truncate",
    "--enzyme-truncate-all",
    "--enzyme-verbose",
    "--enzyme-verify",
    NULL,
};

/* without their -W */
static const char *const own_warnings[] = {
    "enzyme",
    "enzyme-argument-type",
    "enzyme-nothing-active",
    "enzyme-own-shadow",
    "enzyme-shadow-type",
    "enzyme-small-shadow",
    "enzyme-unset-shadow",
    "enzyme-zero-seed",
    NULL,
};
