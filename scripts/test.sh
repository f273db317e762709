#!/bin/sh
# Run every check, each even when one before it failed, and name those that failed: scripts/test.sh [quick|slow]
# With "quick": style, types, imports and the tests of the rooms that need no OpenGL and no process, for while you work.
# With "slow": the tests that are left out otherwise.
set -u
cd "$(dirname "$0")/.." || exit 1
failed=

# every run has the same examples; `CI= make test`, and pytest by itself, draw others
export CI="${CI-true}"

check() {
    name=$1
    shift
    printf '\n== %s\n' "$name"
    start=$(date +%s)
    if "$@"; then
        printf -- '-- %s: passed in %s s\n' "$name" $(($(date +%s) - start))
    else
        printf -- '-- %s: FAILED after %s s\n' "$name" $(($(date +%s) - start))
        failed="$failed$name; "
    fi
}

bin=.venv/bin
# a file at a time: tests of one file need the same kernels, which two processes would both compile; in the order that
# tests/conftest.py gives them
by_file="--dist loadfile --no-loadscope-reorder"

style() {
    check "ruff check" $bin/ruff check .
    check "ruff format" $bin/ruff format --check .
    check "lint-imports" $bin/lint-imports
}

# mypy runs behind tests that leave a part of a core idle; what it says comes after theirs
begin_types() {
    said=$(mktemp)
    nice $bin/mypy >"$said" 2>&1 &
    types=$!
}

end_types() {
    wait "$types"
    status=$?
    cat "$said"
    rm -f "$said"
    return $status
}

case ${1:-} in
slow)
    # three on two cores, since what waits for a browser or another program leaves them idle
    # shellcheck disable=SC2086 # the options are words
    check "pytest slow" $bin/python -m pytest -m slow -n 3 $by_file --ignore tests/end_to_end
    # two, since a window that is killed has had its seconds to keep what it has
    # shellcheck disable=SC2086 # the options are words
    check "pytest slow end to end" $bin/python -m pytest -m slow -n 2 $by_file tests/end_to_end
    ;;
quick)
    style
    begin_types
    rooms="core heightmaps mesh noise scene studio ui view"
    # shellcheck disable=SC2086 # the options and the rooms are words
    check "pytest quick" $bin/python -m pytest -n 2 $by_file $(printf 'tests/%s ' $rooms)
    check "mypy" end_types
    ;;
*)
    style
    # shellcheck disable=SC2086 # the options are words
    check "pytest" $bin/python -m pytest -n 2 $by_file --ignore tests/end_to_end
    begin_types
    # three on two cores, since what waits for a window leaves them idle
    # shellcheck disable=SC2086 # the options are words
    check "pytest end to end" $bin/python -m pytest -n 3 $by_file tests/end_to_end
    check "mypy" end_types
    ;;
esac

if [ -n "$failed" ]; then
    printf '\nFAILED: %s\n' "${failed%; }"
    exit 1
fi
printf '\nall passed\n'
