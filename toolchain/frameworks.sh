# Sourced by test, after setup.sh: installs each framework once, in a folder of its own under the cache folder, and runs
# its tests there. A framework that cannot be installed is skipped; a test that fails makes the step fail.

# The module | its sample | what pip installs. The adapters support older versions, too (docs/python.md).
frameworks='torch|pytorch|torch==2.13.0
tensorflow|tensorflow|tensorflow==2.21.0
mindspore|mindspore|mindspore==2.10.0 numpy<2'

# A folder of packages that is complete if it is there. Folders of packages go with the interpreter that they are for.
framework_folder() {
    local tag
    tag=$(python -c 'import sys; print(sys.implementation.cache_tag)')
    echo "${XDG_CACHE_HOME:-$HOME/.cache}/enzyme-cc/frameworks/$tag-${1// /,}"
}

# What installations of the folder left that were killed; one takes less than an hour.
remove_unfinished() {
    find "${1%/*}" -maxdepth 1 -name "${1##*/}.??????" -mmin +60 -exec rm -rf {} +
}

# Takes the module, the requirements and the folder.
install_framework() {
    local requirements made
    [ ! -d "$3" ] || return 0
    say "installing $2 into $3"
    mkdir -p "${3%/*}" || return 1
    remove_unfinished "$3"
    read -ra requirements <<<"$2"
    made=$(mktemp -d "$3.XXXXXX") || return 1
    if timeout 1200 python -m pip --disable-pip-version-check install --quiet --quiet --no-warn-conflicts \
        --retries 1 --target "$made" "${requirements[@]}" && PYTHONPATH=$made python -c "import $1" && mv -T "$made" "$3"; then
        return 0
    fi
    rm -rf "$made"
    [ -d "$3" ]     # another process may have been faster
}

# Installs what can be installed. `test_frameworks` says what cannot.
install_frameworks() {
    local module sample requirement
    while IFS='|' read -r module sample requirement <&3; do
        install_framework "$module" "$requirement" "$(framework_folder "$requirement")" || true
    done 3<<<"$frameworks"
}

# Takes arguments for pytest.
test_frameworks() {
    local module sample requirement folder failed=0
    while IFS='|' read -r module sample requirement <&3; do
        folder=$(framework_folder "$requirement")
        if ! install_framework "$module" "$requirement" "$folder"; then
            say "skipped: $requirement cannot be installed (no space, no network, or no build for this machine)"
            continue
        fi
        say "pytest with $requirement"
        PYTHONPATH=$folder pytest -n 2 tests/frameworks/"test_$module.py" \
            "tests/samples/test_python_samples.py::test_$sample" "$@" || failed=1
    done 3<<<"$frameworks"
    return $failed
}
