# Sourced by quickstart and test: makes this machine able to build and run the project, skipping what is there.
# Takes: extras ("[test]" for what the tests need), more_needed (lines as in `needed`, below), no_root ("yes": everything
# comes from PyPI). Gives: root (the source tree), venv (its virtual environment, also first on PATH).

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/.venv

say() { printf '\033[1m==> %s\033[0m\n' "$*"; }
stop() { printf 'error: %s\n' "$*" >&2; exit 1; }

# What must be there | the Debian package that brings it. The rest of the C tool chain comes with clang.
needed='clang-22|clang-22
flang-22|flang-22
ld.lld-22|lld-22
/usr/lib/llvm-22/lib/libomp.so|libomp-22-dev
make|make'"${more_needed:+
$more_needed}"

is_there() {
    case $1 in
    /*) [ -e "$1" ] ;;
    *) command -v "$1" >/dev/null ;;
    esac
}

# A python3 of 3.11 or newer that can make virtual environments; prints nothing where there is none.
find_python() {
    local name
    for name in python3 python3.14 python3.13 python3.12 python3.11 /usr/bin/python3; do
        if "$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
}

missing_packages() {
    local what package
    while IFS='|' read -r what package; do
        is_there "$what" || echo "$package"
    done <<<"$needed"
    local python=$venv/bin/python
    [ -x "$python" ] || python=$(find_python)
    if [ -z "$python" ]; then
        printf '%s\n' python3-venv python3-dev
    elif ! has_python_headers "$python"; then
        echo python3-dev
    fi
}

has_python_headers() {
    [ -e "$("$1" -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" ]
}

install_packages() {
    local as_root=()
    command -v apt-get >/dev/null || stop "these Debian packages, or what they are called here, are missing: $*"
    if [ "$(id -u)" != 0 ]; then
        sudo -n true 2>/dev/null || stop "packages are missing; run: sudo apt-get install $*"
        as_root=(sudo)
    fi
    say "installing $*"
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >/dev/null ||
        stop "apt-get could not install $*; LLVM 22's packages for older systems are at https://apt.llvm.org"
}

make_environment() {
    [ -x "$venv/bin/python" ] && return
    say "making the virtual environment $venv"
    "$(find_python)" -m venv "$venv"
}

# Changes whenever the installed files would. The Python files are used where they are, but the installation lists them.
fingerprint() {
    cd "$root"
    find pyproject.toml toolchain -type f -print0 | sort -z |
        xargs -0 sha256sum
    find enzyme_cc -name '*.py' | sort
    echo "$root"
}

# Is the package there as it would be installed now, with these extras?
is_installed() {
    [ "$(cat "$venv/.installed$1" 2>/dev/null)" = "$now" ]
}

# Makes CMake compile with the ziglang of the environment, and without Python.h where that is not installed.
compile_with_zig() {
    local zig
    zig=$("$venv/bin/python" -c 'import os, ziglang; print(os.path.dirname(ziglang.__file__))')
    export CC="$zig/zig cc"
    export CMAKE_ARGS="-DRUNTIME_CLANG=$zig/zig;clang;-resource-dir;$zig/lib"
    has_python_headers "$venv/bin/python" || CMAKE_ARGS+=" -DWITHOUT_PYTHON_HEADERS=ON"
}

# Without build isolation: the environment keeps the build tools, so that the next build need not fetch them again.
install_package() {
    local now
    now=$(fingerprint | sha256sum)
    if is_installed "$extras" || is_installed "[test]"; then return; fi
    say "installing enzyme-cc into $venv"
    local tools=(scikit-build-core)
    command -v cmake >/dev/null || tools+=(cmake)
    command -v ninja >/dev/null || tools+=(ninja)
    local pip=("$venv/bin/python" -m pip --disable-pip-version-check install --quiet --quiet)
    [ -z "${no_root:-}" ] || tools+=(ziglang)
    "${pip[@]}" "${tools[@]}"
    [ -z "${no_root:-}" ] || compile_with_zig
    "${pip[@]}" --no-build-isolation --editable "$root$extras"
    echo "$now" >"$venv/.installed$extras"
}

# pip does this for what it copies; an editable installation has none, and where PYTHONDONTWRITEBYTECODE is set, each
# process would compile every module again. Only changed files take time.
compile_modules() {
    "$venv/bin/python" -m compileall -q "$root/enzyme_cc" "$root/torch_enzyme"
}

export PATH=$venv/bin:$PATH
if [ -z "${no_root:-}" ]; then
    mapfile -t missing < <(missing_packages)
    [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
elif [ ! -x "$venv/bin/python" ] && [ -z "$(find_python)" ]; then
    stop "no Python of 3.11 or newer with the modules venv and ensurepip"
fi
make_environment
install_package
compile_modules
