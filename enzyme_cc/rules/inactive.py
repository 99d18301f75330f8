"""Library functions that carry no derivative: names → effects, in the notation of knowledge.py.

Functions with variable arguments have `r*` (printf). A function is not inactive, and must not be listed, if it calls
back into the program (pthread_create) or returns memory that holds numbers.
"""

from __future__ import annotations

import re

#: functions without memory effects, whose result depends on the operands alone
PURE = """
    abs labs llabs imaxabs ffs ffsl ffsll toupper tolower isalpha isdigit isalnum isspace isupper islower ispunct
    isprint iscntrl isgraph isxdigit isblank toascii isascii towupper towlower iswalpha iswdigit iswspace iswalnum
    iswupper iswlower iswpunct iswprint __ffsdi2 __popcountdi2 __clzdi2 __ctzdi2 __divti3 __udivti3 __modti3
    __umodti3 __multi3 __ashlti3 __ashrti3 __lshrti3 htonl htons ntohl ntohs __fdelt_chk
"""

_STRING = {
    "strlen wcslen": "r0",
    "strnlen wcsnlen": "r0",
    "strchr strrchr strchrnul index rindex wcschr wcsrchr memchr memrchr rawmemchr wmemchr __rawmemchr": "r0 =0",
    "strstr strcasestr strpbrk memmem wcsstr strcspn strspn": "r0 r1 =0",
    "strcmp strncmp strcasecmp strncasecmp strcoll strverscmp wcscmp wcsncmp memcmp bcmp wmemcmp": "r0 r1",
    "strcpy strncpy strcat strncat stpcpy stpncpy strlcpy strlcat": "t1 w0 =0",
    "wcscpy wcsncpy wcscat wcsncat wcpcpy wcpncpy": "t1 w0 =0",
    "wmemcpy wmemmove wmempcpy": "m1 w0 =0",
    "strxfrm": "t1 w0",
    "memccpy __memccpy": "m1 w0 =0",
    "strtok": "m0 r1 w0 =0",
    "strtok_r __strtok_r": "m0 r1 m2 w0 w2 =0",
    "strsep": "m0 r1 w0",
    "strerror strsignal gai_strerror": "",
    "strerror_r __xpg_strerror_r": "w1",
    "wmemset": "c1 w0 =0",
    "atoi atol atoll atof": "r0",
    "strtod strtof strtold strtol strtoll strtoul strtoull strtoimax strtoumax": "r0 w1",
    "__isoc23_strtol __isoc23_strtoll __isoc23_strtoul __isoc23_strtoull __strtod_internal": "r0 w1",
    "wcstod wcstof wcstold wcstol wcstoll wcstoul wcstoull": "r0 w1",
    "mbstowcs wcstombs mbtowc mbrtowc mbsrtowcs wcsrtombs": "t* w*",
    "wcrtomb wctomb": "c1 r2 w*",
    "mblen mbrlen": "r* w*",
    "btowc wctob": "c0",
    "mbsinit": "r*",
    "nan nanf nanl": "r0",
    "__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __ctype_get_mb_cur_max": "",
    "iswctype wctype towctrans wctrans": "r*",
}

_STDIO = {
    "printf vprintf wprintf vwprintf": "r*",
    "fprintf fwprintf dprintf": "t* c*",
    "vfprintf vdprintf": "t*",
    "sprintf snprintf swprintf asprintf": "t* c* w0",
    "vsprintf vsnprintf vswprintf vasprintf": "t* w0",
    "scanf fscanf sscanf vscanf vfscanf vsscanf": "t* w*",
    "__isoc99_scanf __isoc99_fscanf __isoc99_sscanf __isoc99_vscanf __isoc99_vfscanf __isoc99_vsscanf": "t* w*",
    "__isoc23_scanf __isoc23_fscanf __isoc23_sscanf __isoc23_vscanf __isoc23_vfscanf __isoc23_vsscanf": "t* w*",
    "gcvt": "w2",
    "puts putchar putchar_unlocked perror psignal": "r0",
    "fputs fputs_unlocked fputws": "t0 r1",
    "fputc putc fputc_unlocked putc_unlocked fputwc putwc ungetc ungetwc putw _IO_putc": "c0 r1",
    "getchar getchar_unlocked": "",
    "fgetc getc fgetc_unlocked getc_unlocked fgetwc getwc getw _IO_getc": "",
    "fgets fgets_unlocked gets fgetws": "w0 =0",
    "getline getdelim __getdelim": "r0 w0 w1",
    "fread fread_unlocked": "w0",
    "fwrite fwrite_unlocked": "m0",
    "fopen fopen64 freopen fdopen tmpfile popen": "r0 r1",
    "fmemopen": "r0 r2 w0",
    "open_memstream": "w0 w1",
    "fclose pclose fflush fflush_unlocked fseek fseeko ftell ftello rewind feof ferror clearerr fileno setlinebuf": "",
    "feof_unlocked ferror_unlocked fileno_unlocked flockfile funlockfile fpurge __fpending fwide": "",
    "setbuf setvbuf": "",
    "fgetpos fsetpos": "r1 w1",
    "remove unlink rename mkdir rmdir access chdir chmod mkstemp mkdtemp symlink link opendir stat64": "r* w*",
    "stat fstat lstat readdir closedir getcwd tmpnam": "r* w*",
    "realpath readlink": "t* w*",
    "open open64 openat creat close lseek lseek64 dup dup2 fsync ftruncate isatty fcntl ioctl umask": "r0",
    "read pread pread64 readv": "w1",
    "write pwrite pwrite64 writev": "m1",
    "ttyname pipe select poll": "r* w*",
}

_SYSTEM = {
    "getenv secure_getenv unsetenv": "r*",
    "setenv putenv": "t*",
    "setlocale localeconv newlocale uselocale freelocale duplocale nl_langinfo bindtextdomain textdomain gettext": "r*",
    "dcgettext dgettext ngettext": "r*",
    "time": "w0",
    "clock clock_getres sysconf getpid getppid getuid geteuid getgid getegid gettid getpagesize": "",
    "get_nprocs get_nprocs_conf sched_getcpu sched_yield sleep usleep alarm pause": "",
    "clock_gettime timespec_get gettimeofday nanosleep clock_nanosleep times getrusage uname gethostname": "r* w*",
    "difftime": "",
    "mktime timegm": "r0 w0",
    "gmtime localtime ctime asctime": "r0",
    "gmtime_r localtime_r ctime_r asctime_r": "r0 w1",
    "strftime wcsftime strptime": "r* w*",
    "rand random lrand48 mrand48 drand48": "",
    "srand srandom srand48 initstate": "",
    "rand_r erand48 nrand48 jrand48": "r0 w0",
    "getrandom getentropy arc4random arc4random_buf": "w0",
    "arc4random_uniform": "",
    "__errno_location __error": "",
    "fegetround fesetround feclearexcept feraiseexcept fetestexcept feenableexcept fedisableexcept fegetexcept": "",
    "fegetenv feholdexcept fegetexceptflag": "w0",
    "fesetenv feupdateenv fesetexceptflag": "r0",
    "atexit at_quick_exit __cxa_atexit __cxa_thread_atexit __cxa_finalize on_exit": "",
    "signal sigaction sigemptyset sigfillset sigaddset sigprocmask raise kill": "r* w*",
    "setjmp _setjmp sigsetjmp __sigsetjmp": "w0",
    "system": "r0",
    "getopt getopt_long": "r* w*",
    "backtrace backtrace_symbols backtrace_symbols_fd": "r* w*",
    "dlopen dlclose dlerror": "r0",
    "malloc_usable_size mallopt malloc_trim malloc_stats mallinfo": "",
    "madvise mprotect mlock munlock msync": "",
    "div ldiv lldiv": "c0",
    "tcgetattr tcsetattr syslog openlog closelog": "r* w*",
    "__cyg_profile_func_enter __cyg_profile_func_exit mcount __fentry__ __gmon_start__": "",
    "__sanitizer_cov_trace_pc __sanitizer_cov_trace_pc_guard": "",
}

_THREADS = {
    "pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock": "r0 i0",
    "pthread_mutex_timedlock pthread_mutexattr_init pthread_mutexattr_destroy pthread_mutexattr_settype": "r0 i0",
    "pthread_rwlock_init pthread_rwlock_destroy pthread_rwlock_rdlock pthread_rwlock_wrlock": "r0 i0",
    "pthread_rwlock_unlock pthread_spin_init pthread_spin_lock pthread_spin_unlock pthread_spin_destroy": "r0 i0",
    "pthread_mutex_clocklock pthread_rwlock_tryrdlock pthread_rwlock_trywrlock pthread_rwlock_timedrdlock": "r0 i0",
    "pthread_rwlock_timedwrlock pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock pthread_spin_trylock": "r0 i0",
    "pthread_barrier_init pthread_barrier_destroy pthread_barrierattr_init pthread_barrierattr_destroy": "r0 i0",
    "pthread_cond_init pthread_cond_destroy pthread_cond_signal pthread_cond_broadcast": "r0 i0",
    "pthread_attr_init pthread_attr_destroy pthread_attr_setstacksize pthread_attr_setdetachstate": "r0 i0",
    "_ZNSt6thread6_StateD1Ev _ZNSt6thread6_StateD2Ev": "r0",
    "_ZNSt6thread4joinEv _ZNSt6thread6detachEv": "r0 i0",
    "_ZNSt6thread20hardware_concurrencyEv": "",
    "pthread_self pthread_equal pthread_setcancelstate": "",
    "pthread_key_create pthread_key_delete": "w0",
    "mtx_init mtx_lock mtx_trylock mtx_timedlock mtx_unlock mtx_destroy": "r0 i0",
    "cnd_init cnd_signal cnd_broadcast cnd_destroy": "r0 i0",
    "thrd_equal thrd_yield": "",
    "sem_init sem_post sem_trywait sem_clockwait sem_destroy": "r0 i0",
    "sem_wait sem_timedwait": "r0 w0",
    "sem_getvalue": "r0 w1",
    "omp_get_num_threads omp_get_thread_num omp_in_parallel": "",
    "__kmpc_global_thread_num __kmpc_serialized_parallel __kmpc_end_serialized_parallel": "r0",
    "__kmpc_bound_num_threads": "r0",
    "__kmpc_push_proc_bind __kmpc_barrier __kmpc_flush __kmpc_master __kmpc_end_master": "r0",
    "__kmpc_masked __kmpc_end_masked __kmpc_ordered __kmpc_end_ordered": "r0",
    "__kmpc_critical_with_hint __kmpc_end_critical": "r0 r2 w2",
    "__kmpc_omp_taskwait __kmpc_omp_taskyield __kmpc_taskgroup __kmpc_end_taskgroup": "r0",
    "__kmpc_for_static_fini __kmpc_dispatch_fini_4 __kmpc_dispatch_fini_8 __kmpc_dispatch_deinit": "r0",
    "__kmpc_dispatch_fini_4u __kmpc_dispatch_fini_8u": "r0",
    "omp_init_lock omp_destroy_lock omp_set_lock omp_unset_lock omp_test_lock": "r0 i0",
    "omp_init_lock_with_hint omp_init_nest_lock_with_hint": "r0 i0",
    "omp_init_nest_lock omp_destroy_nest_lock omp_set_nest_lock omp_unset_nest_lock omp_test_nest_lock": "r0 i0",
    "omp_get_wtime omp_get_wtick omp_set_num_threads omp_get_level omp_set_dynamic": "",
    "omp_get_team_size omp_get_ancestor_thread_num omp_get_active_level omp_get_max_active_levels": "",
    "omp_get_dynamic omp_get_nested omp_set_nested omp_set_max_active_levels omp_in_final omp_get_cancellation": "",
    "omp_get_num_teams omp_get_team_num omp_get_num_devices omp_is_initial_device omp_get_proc_bind": "",
    "omp_get_num_threads_ omp_get_thread_num_ omp_in_parallel_": "",
    "omp_get_wtime_ omp_get_wtick_ omp_get_level_ omp_get_dynamic_ omp_get_nested_": "",
    "omp_set_num_threads_ omp_set_dynamic_ omp_set_nested_": "r0",
    "omp_init_lock_ omp_destroy_lock_ omp_set_lock_ omp_unset_lock_ omp_test_lock_": "r0 i0",
    "__kmpc_doacross_init __kmpc_doacross_post __kmpc_doacross_wait": "r0 r2",
    "__kmpc_doacross_fini __kmpc_scope __kmpc_end_scope __kmpc_cancel_barrier": "r0",
    "__kmpc_omp_reg_task_with_affinity": "r0 r2 r4",
    "omp_get_num_places omp_get_place_num omp_get_partition_num_places omp_get_supported_active_levels": "",
    "omp_get_max_task_priority omp_in_explicit_task omp_set_schedule omp_get_initial_device": "",
    "omp_get_schedule": "w0 w1",
    "__kmpc_cancel __kmpc_cancellationpoint": "r0",
}

#: functions that call comparators of the program; a comparison carries no derivative and changes no numbers
_SEARCH = {
    "bsearch lfind": "r* w* i0 i1 =1",
}

_LANGUAGES = {
    "__cxa_guard_acquire __cxa_guard_release __cxa_guard_abort": "r0 w0",
    "__cxa_begin_catch __cxa_end_catch __cxa_get_exception_ptr": "",
    "__cxa_demangle __cxa_init_primary_exception __cxa_current_exception_type": "r* w*",
    "__gxx_personality_v0 __gcc_personality_v0 rust_eh_personality": "",
    "__cxa_get_globals __cxa_uncaught_exceptions _ZSt18uncaught_exceptionv _ZSt19uncaught_exceptionsv": "",
    "_ZNSt8ios_base4InitC1Ev _ZNSt8ios_base4InitD1Ev": "",
    "_ZSt11_Hash_bytesPKvmm _ZSt15_Fnv_hash_bytesPKvmm": "r0",
    "_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv": "r0 w0",
    "_ZNSt15__exception_ptr13exception_ptrD1Ev _ZNSt15__exception_ptr13exception_ptrD2Ev": "r0",
    "__dynamic_cast": "r0 =0",
    "_ZSt15get_new_handlerv _ZSt13get_terminatev": "",
}

_CHECKED = re.compile(r"__(\w+)_chk")

#: functions that write text, or single values (scanf): what lies behind the text or the value is left alone
WRITES_TEXT = frozenset(
    """
    strcpy strncpy strcat strncat stpcpy stpncpy strlcpy strlcat strtok strtok_r __strtok_r strsep
    sprintf vsprintf snprintf vsnprintf
    scanf fscanf sscanf vscanf vfscanf vsscanf
    __isoc99_scanf __isoc99_fscanf __isoc99_sscanf __isoc99_vscanf __isoc99_vfscanf __isoc99_vsscanf
    __isoc23_scanf __isoc23_fscanf __isoc23_sscanf __isoc23_vscanf __isoc23_vfscanf __isoc23_vsscanf
    __ez_text_print
    _FortranAioInputInteger _FortranAioInputLogical _FortranAioInputCharacter _FortranAioInputAscii
    _FortranAioBeginInternalListOutput _FortranAioBeginInternalFormattedOutput
    """.split()
)
#: functions that store a pointer to a new text
_GIVES_TEXT = frozenset(["asprintf", "vasprintf"])
#: functions of flang that write where array descriptors point
_WRITES_ARRAYS = re.compile(
    r"_FortranA(?:DateAndTime|RandomSeed|Get(?:Command|CommandArgument|EnvVariable|Cwd)$|ExecuteCommandLine"
    r"|ioBeginInternalArray\w+Output)"
)

#: functions that write one number: its operand, and the letter of its type
NUMBER_TARGETS: dict[str, tuple[int, str]] = {
    **{f"_ZNSirsER{letter}": (1, letter) for letter in "fde"},
    **{f"_ZNSi10_M_extractI{letter}EERSiRT_": (1, letter) for letter in "fde"},
    **{f"_ZSt10from_charsPKcS0_R{letter}St12chars_format": (2, letter) for letter in "fde"},
}
#: functions that write what a format says: its operand. The format is followed by pointers.
FORMATS: dict[str, int] = {
    f"{prefix}{name}": operand
    for prefix in ("", "__isoc99_", "__isoc23_")
    for name, operand in {"scanf": 0, "fscanf": 1, "sscanf": 1}.items()
}

INACTIVE: dict[str, str] = {**_STRING, **_STDIO, **_SYSTEM, **_THREADS, **_SEARCH, **_LANGUAGES}

NORETURN: dict[str, str] = {
    "abort exit _exit _Exit quick_exit": "",
    "__assert_fail __assert_perror_fail __assert __assert_rtn": "r*",
    "__stack_chk_fail __chk_fail __fortify_fail": "",
    "longjmp _longjmp siglongjmp": "r0",
    "err errx verr verrx": "r*",
    "__cxa_throw __cxa_rethrow __cxa_rethrow_primary_exception __cxa_bad_cast __cxa_bad_typeid": "",
    "__cxa_throw_bad_array_new_length __cxa_throw_bad_array_length __cxa_pure_virtual __cxa_deleted_virtual": "",
    "__cxa_call_unexpected __cxa_call_terminate _Unwind_Resume __clang_call_terminate": "",
    "_ZSt9terminatev _ZSt10unexpectedv": "",
    "rust_begin_unwind rust_panic __rust_start_panic": "r*",
    "_FortranAStopStatement _FortranAStopStatementText _FortranAFailImageStatement": "r*",
    "_FortranAExit _FortranAAbort _FortranAReportFatalUserError": "r*",
}

#: variables of the C library and of libstdc++ that carry no derivative
INACTIVE_GLOBALS = """
    stdin stdout stderr environ __environ optarg optind opterr optopt timezone daylight tzname signgam
    program_invocation_name program_invocation_short_name
    _ZSt3cin _ZSt4cout _ZSt4cerr _ZSt4clog _ZSt4wcin _ZSt5wcout _ZSt5wcerr _ZSt5wclog
"""

#: functions of FFTW that tell or set something; not those of wisdom that call back
_FFTW = (
    r"(?:forget_wisdom|cleanup|set_timelimit|plan_with_nthreads|planner_nthreads|init_threads|cleanup_threads"
    r"|make_planner_thread_safe|threads_set_callback|export_wisdom_to_(?:filename|file|string)|import_system_wisdom"
    r"|import_wisdom_from_(?:filename|file|string)|f?print_plan|sprint_plan|estimate_cost|cost|alignment_of)_?$"
)
_CXX_STREAM = r"basic_(?:(?:[io]|io)?(?:stream|fstream|stringstream)|(?:file|string|stream)buf|ios)"
_CXX_STRING = r"basic_stringI(?:[cw]|D[sui])"
#: the function passes characters on, and may write any memory, but no numbers
_NO_NUMBERS = "m* c1 c2 c3 c4 w* i0 i1 i2 i3 i4"
#: the same for one that passes no characters on
_PASSES_NOTHING = "r* w* i0 i1 i2 i3 i4"
#: members of a string that tell something about it, or where it lies
_OBSERVERS = (
    r"4sizeEv|6lengthEv|8capacityEv|5emptyEv|8max_sizeEv|5c_strEv|4dataEv|5beginEv|3endEv|7compareE|4findE|5rfindE"
    r"|1[23]find_(?:first|last)_ofE"
)
_EXCEPTION = (
    r"exception|bad_\w+|runtime_error|logic_error|out_of_range|invalid_argument|length_error|domain_error|range_error"
    r"|overflow_error|underflow_error|system_error|future_error|regex_error|format_error"
)
#: pattern for the beginning of the name, name of the `CalleeKind`, effects; the first match counts
PATTERNS: list[tuple[str, str, str]] = [
    # libstdc++ and libc++: std::__throw_out_of_range and so on
    (r"_ZSt\d+__throw_(?!with_nested)", "NORETURN", "r*"),
    (r"_ZNSt3__1\d+__throw_", "NORETURN", "r*"),
    (r"_ZNKSt3__1\d+__\w+_common\w*__throw_", "NORETURN", "r*"),
    # constructors and destructors of std::allocator<char> and <wchar_t> are in the library
    (r"_ZNSaI[cw]E[CD][012]E", "INACTIVE", ""),
    # destructors, and members that tell something of a string
    (
        rf"_ZNSt(?:3__1|7__cxx11)?\d+(?:{_CXX_STRING}|{_CXX_STREAM})\w*D[012]Ev$|_ZNS[so]D[012]Ev$",
        "INACTIVE",
        _PASSES_NOTHING,
    ),
    (rf"_ZNK(?:Ss|St(?:3__1|7__cxx11)?\d+{_CXX_STRING}\w*E)(?:{_OBSERVERS})", "INACTIVE", _PASSES_NOTHING),
    # input from a stream writes behind its operand; output only reads
    (r"_ZNSirs", "INACTIVE", "r* w1 =0"),
    (r"_ZNSi7putback", "INACTIVE", "c1 w0 =0"),
    (r"_ZNSi|_ZNSd|_ZStrs|_ZSt7getline|_ZSt2ws", "INACTIVE", "r* w*"),
    (r"_ZNSo5write", "INACTIVE", "m1 w0 =0"),
    (r"_ZNSo3put|_ZStls\w+(?:[cah]|_SetfillI\w+)$", "INACTIVE", "c1 w0 =0"),
    (r"_ZStls\w+12basic_string", "INACTIVE", "m1 w0 =0"),
    (r"_ZNK?So|_ZStls|_ZSt4endl|_ZSt5flush|_ZSt4ends|_ZSt16__ostream_(?:insert|fill)", "INACTIVE", "t* w0 =0"),
    (r"_ZSt8to_charsPcS_[fde]", "INACTIVE", "w0"),
    (rf"_ZNK?[RO]?St(?:3__1|7__cxx11)?\d+(?:__ostream|__istream|{_CXX_STREAM})", "INACTIVE", "m* c1 w*"),
    (rf"_ZNK?Ss|_ZNK?St(?:3__1|7__cxx11)?\d+{_CXX_STRING}", "INACTIVE", _NO_NUMBERS),
    (r"_ZNSt(?:3__1)?8ios_base(?:9precision|5width|5iword)E", "INACTIVE", "c1 w0"),
    (r"_ZNK?St(?:3__1)?8ios_base|_ZNK?St(?:3__1)?6locale|_ZSt9use_facet|_ZSt9has_facet", "INACTIVE", "r* w*"),
    (r"_ZNK?St(?:3__1)?5ctype|_ZNK?St(?:3__1)?7codecvt", "INACTIVE", "m* c1 c2 w*"),
    (r"_ZNK?St(?:3__1)?7num_(?:put|get)", "INACTIVE", "r* w*"),
    (r"_ZNK?St(?:3__1)?6chrono|_ZNSt(?:3__1)?11this_thread|_ZNSt(?:3__1)?13random_device", "INACTIVE", "r* w*"),
    (r"_ZNSt(?:3__1)?5mutex|_ZNSt(?:3__1)?18condition_variable(?!4waitERSt)", "INACTIVE", "r0 i0"),
    (
        rf"_ZNK?St(?:3__1)?\d+(?:{_EXCEPTION})(?!D[012]Ev$|4whatEv$|4codeEv$)",
        "INACTIVE",
        "m1 m2 c1 c2 w* i0 i1 i2 i3 i4",
    ),
    (rf"_ZNK?St(?:3__1)?\d+(?:{_EXCEPTION})", "INACTIVE", _PASSES_NOTHING),
    # other members of std::nested_exception have bodies, which keep exceptions that carry numbers
    (r"_ZNSt(?:3__1)?16nested_exceptionD[012]Ev$", "INACTIVE", _PASSES_NOTHING),
    (r"_ZNKSt8__detail20_Prime_rehash_policy", "INACTIVE", "r0 i0"),
    # oneTBB: what makes, sets, asks and destroys, and mutexes; the calls of tasks have stand-ins
    (
        r"_ZN3tbb6detail2r1(?:10initialize|7destroy|6create|9terminate|6attach|19capture_fp_settings|3get|8finalize)E",
        "INACTIVE",
        "r0 i0",
    ),
    (
        r"_ZN3tbb6detail2r1(?:7acquire|11try_acquire|14acquire_|18try_acquire_|7release|7upgrade|9downgrade|9construct"
        r"|17upgrade_to_writer|19downgrade_to_reader|9is_writer)",
        "INACTIVE",
        "r0 r1 i0 i1",
    ),
    (
        r"_ZN3tbb6detail2r1(?:15cache_line_size|17is_tbbmalloc_used|15call_itt_notify|17notify_by|21notify_by"
        r"|27global_control_active_value|15numa_node_count|15core_type_count|17assertion_failure)",
        "INACTIVE",
        "",
    ),
    (r"_ZN3tbb6detail2r115throw_exception", "NORETURN", ""),
    # Rust: core::panicking, alloc's and std's error paths; printing and formatting
    (r"_R\w*4core9panicking|_ZN4core9panicking", "NORETURN", "r*"),
    (r"_R\w*(?:4core6option|4core6result)\d+(?:unwrap_failed|expect_failed)", "NORETURN", "r*"),
    (r"_ZN4core(?:6option|6result)\d+(?:unwrap_failed|expect_failed)", "NORETURN", "r*"),
    (r"(?:_R\w*|_ZN)4core5slice5index\d+slice_\w+_fail", "NORETURN", "r*"),
    (r"(?:_R\w*|_ZN)5alloc7raw_vec\d+(?:handle_error|capacity_overflow)", "NORETURN", "r*"),
    (r"(?:_R\w*|_ZN)5alloc5alloc18handle_alloc_error", "NORETURN", "r*"),
    (r"(?:_R\w*|_ZN)3std9panicking", "NORETURN", "r*"),
    (r"(?:_R\w*|_ZN)3std(?:2io5stdio|7process|4time|3env)", "INACTIVE", "r*"),
    (r"(?:_R\w*|_ZN)4core3fmt", "INACTIVE", "r* w*"),
    # flang: input statements write behind operand 1; its other input and output functions only read
    (r"_FortranAioInput", "INACTIVE", "r* w*"),
    (r"_FortranAioInquire|_FortranAioGet", "INACTIVE", "r* w*"),
    (r"_FortranAioOutput", "INACTIVE", "r* local"),
    # nothing reads the text before the statement ends
    (r"_FortranAioBeginInternalArray\w+Output", "INACTIVE", "r* w*"),
    (r"_FortranAioBeginInternal\w+Output", "INACTIVE", "r* w0"),
    (r"_FortranAioBeginInternal\w+Input", "INACTIVE", "m0 r*"),
    (r"_FortranAio", "INACTIVE", "r*"),
    (r"_FortranAProgram|_FortranAPauseStatement|_FortranAFlush|_FortranASleep|_FortranASignal", "INACTIVE", "r*"),
    (r"_FortranASystemClock|_FortranACpuTime|_FortranADateAndTime|_FortranAEtime|_FortranAtime", "INACTIVE", "r* w*"),
    (r"_FortranASecnds|_FortranADsecnds|_FortranARandom|_FortranAIrand|_FortranARand", "INACTIVE", "r* w*"),
    (r"_FortranAGet|_FortranAPutEnv|_FortranAArgumentCount|_FortranAExecuteCommandLine", "INACTIVE", "r* w*"),
    (r"_FortranAfe|_FortranAMapException|_FortranASupportHalting|_FortranA[GS]etUnderflowMode", "INACTIVE", "r* w*"),
    # of texts: what moves characters has stand-ins, since these may be the bytes of numbers
    (r"_FortranA(?:CharacterCompareScalar|(?:LenTrim|Index|Scan|Verify)(?=\d))", "INACTIVE", "r* local"),
    (r"_FortranA(?:CharacterCompare|LenTrim|Index|Scan|Verify)$", "INACTIVE", "r* w0 local"),
    (r"_FortranASelected|_FortranAModInteger|_FortranAModuloInteger|_FortranAUPow", "INACTIVE", "r*"),
    (r"_FortranA(?:[LU]bound|Shape)$", "INACTIVE", "r* w0 local"),
    (r"_FortranA(?:Size|SizeDim|LboundDim|IsContiguous\w*|IsAssumedSize)$", "INACTIVE", "r* local"),
    (r"_FortranA(?:Max|Min|Find)loc", "INACTIVE", "r* w0 local"),
    (r"_FortranA(?:All|Any|Parity|Count|IAll|IAny|IParity)\d*$", "INACTIVE", "r* local"),
    (r"_FortranA(?:All|Any|Parity|Count|IAll|IAny|IParity)Dim$", "INACTIVE", "r* w0 local"),
    (r"_FortranA(?:Sum|Product|Maxval|Minval|DotProduct)(?:Integer|Unsigned|Logical)\d*$", "INACTIVE", "r* local"),
    (r"_FortranA(?:Maxval|Minval)Character", "INACTIVE", "r* w0 local"),
    (r"_FortranA(?:PointerIsAssociated|SameTypeAs|ExtendsTypeOf|ClassIs)", "INACTIVE", "r* local"),
    # what derivatives of library functions ask about handles (toolchain/natives)
    (r"__ez_inactive_", "INACTIVE", "r* local"),
    (rf"(?:fftw[fl]?|[dsl]fftw)_(?:{_FFTW})", "INACTIVE", "r*"),
    (r"(?:fftw[fl]?|[dsl]fftw)_flops_?$", "INACTIVE", "r0 w1 w2 w3"),
    (r"__ubsan_handle_\w+_abort", "NORETURN", "r*"),
    (r"__ubsan_handle_|__asan_|__tsan_|__msan_", "INACTIVE", "r*"),
]

#: intrinsics of integers whose result is an integer, whatever the bits of the operands are: arithmetic, counts of bits;
#: names without `llvm.` and types
COMPUTED_INTEGERS = """
    umin umax smin smax abs ctpop ctlz cttz scmp ucmp
    sadd.with.overflow uadd.with.overflow ssub.with.overflow usub.with.overflow smul.with.overflow umul.with.overflow
    sadd.sat uadd.sat ssub.sat usub.sat sshl.sat ushl.sat smul.fix umul.fix smul.fix.sat umul.fix.sat
    sdiv.fix udiv.fix sdiv.fix.sat udiv.fix.sat
    vector.reduce.add vector.reduce.mul
    vector.reduce.smax vector.reduce.smin vector.reduce.umax vector.reduce.umin
"""

#: all intrinsics of integers only
PURE_INTRINSICS = f"""{COMPUTED_INTEGERS}
    bswap bitreverse fshl fshr vector.reduce.and vector.reduce.or vector.reduce.xor
    expect expect.with.probability is.constant objectsize get.active.lane.mask stepvector vscale
    experimental.cttz.elts experimental.vector.match eh.typeid.for type.test public.type.test
    allow.runtime.check allow.ubsan.check x86.sse42.crc32.32.8 x86.sse42.crc32.64.64 x86.bmi.pdep.64 x86.bmi.pext.64
    x86.sse.movmsk.ps x86.sse2.movmsk.pd x86.avx.movmsk.ps.256 x86.avx.movmsk.pd.256
    x86.sse.cvtss2si x86.sse.cvttss2si x86.sse.cvtss2si64 x86.sse.cvttss2si64
    x86.sse2.cvtsd2si x86.sse2.cvttsd2si x86.sse2.cvtsd2si64 x86.sse2.cvttsd2si64
    x86.sse2.cvtps2dq x86.sse2.cvttps2dq x86.sse2.cvtpd2dq x86.sse2.cvttpd2dq
    x86.avx.cvt.ps2dq.256 x86.avx.cvtt.ps2dq.256 x86.avx.cvt.pd2dq.256 x86.avx.cvtt.pd2dq.256
    x86.sse.comieq.ss x86.sse.comilt.ss x86.sse.comile.ss x86.sse.comigt.ss x86.sse.comige.ss x86.sse.comineq.ss
    x86.sse2.comieq.sd x86.sse2.comilt.sd x86.sse2.comile.sd x86.sse2.comigt.sd x86.sse2.comige.sd x86.sse2.comineq.sd
    x86.sse.ucomieq.ss x86.sse.ucomilt.ss x86.sse.ucomile.ss x86.sse.ucomigt.ss x86.sse.ucomige.ss x86.sse.ucomineq.ss
    x86.sse2.ucomieq.sd x86.sse2.ucomilt.sd x86.sse2.ucomile.sd x86.sse2.ucomigt.sd x86.sse2.ucomige.sd
    x86.sse2.ucomineq.sd
    x86.avx.vtestz.ps x86.avx.vtestc.ps x86.avx.vtestnzc.ps x86.avx.vtestz.pd x86.avx.vtestc.pd x86.avx.vtestnzc.pd
    x86.avx.vtestz.ps.256 x86.avx.vtestc.ps.256 x86.avx.vtestnzc.ps.256
    x86.avx.vtestz.pd.256 x86.avx.vtestc.pd.256 x86.avx.vtestnzc.pd.256
    x86.sse41.ptestz x86.sse41.ptestc x86.sse41.ptestnzc x86.avx.ptestz.256 x86.avx.ptestc.256 x86.avx.ptestnzc.256
    x86.avx512.mask.cmp.pd.512 x86.avx512.mask.cmp.ps.512
"""

#: names without `llvm.` and types
INACTIVE_INTRINSICS: dict[str, str] = {
    "lifetime.start lifetime.end invariant.start invariant.end assume sideeffect donothing pseudoprobe fake.use": "",
    "prefetch experimental.noalias.scope.decl var.annotation annotation codeview.annotation clear_cache": "",
    "va_start va_end": "w0",
    "va_copy": "r1 w0",
    "init.trampoline": "w0",
    "returnaddress frameaddress addressofreturnaddress sponentry thread.pointer": "",
    "readcyclecounter readsteadycounter x86.rdtsc x86.rdtscp debugtrap pcmarker": "",
    "get.rounding set.rounding get.fpenv set.fpenv reset.fpenv get.fpmode set.fpmode reset.fpmode": "",
    "instrprof.increment instrprof.increment.step instrprof.cover instrprof.value.profile experimental.guard": "",
    "experimental.widenable.condition": "",
    "x86.sse2.pause x86.sse.sfence x86.sse2.lfence x86.sse2.mfence x86.rdrand.32 x86.rdrand.64": "",
    "x86.sse.ldmxcsr": "r0",
    "x86.sse.stmxcsr": "w0",
}

STREAM_FUNCTIONS = frozenset(name for names in _STDIO for name in names.split())


def writes_behind_pointers(name: str) -> bool:
    """Returns whether it writes integers or characters where pointers point that it is given, or that it stores."""
    return _WRITES_ARRAYS.match(name) is not None or unchecked(name) in _GIVES_TEXT


def unchecked(name: str) -> str:
    """Returns the function that -D_FORTIFY_SOURCE replaces: __X_chk is X with more operands. Other names stay.

    The operands that rows of X name keep their places, but for the stream of fread.
    """
    found = _CHECKED.fullmatch(name)
    return found[1] if found else name


def is_string_member(name: str) -> bool:
    """Returns whether it is a member of std::string or of its like."""
    return _STRING_MEMBER.match(name) is not None


def copies_string(name: str) -> bool:
    """Returns whether it is the member `copy` of std::string or of its like: operand 1 gets the characters."""
    return _STRING_COPY.match(name) is not None


_STRING_MEMBER = re.compile(rf"_ZNK?[RO]?S(?:s|t(?:3__1|7__cxx11)?\d+{_CXX_STRING})")
_STRING_COPY = re.compile(rf"_ZNK(?:Ss|St(?:3__1|7__cxx11)?\d+{_CXX_STRING}\w*E)4copyEP")
