#!/bin/sh
# Run every check, each even when one before it failed, and name those that failed.
set -u
cd "$(dirname "$0")/.." || exit 1
failed=

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
live=tests/end_to_end/test_live.py
check "ruff check" $bin/ruff check .
check "ruff format" $bin/ruff format --check .
check "mypy" $bin/mypy
check "lint-imports" $bin/lint-imports
# A file at a time, since tests of one file need the same kernels, which two processes would both compile; and in the
# order of tests/conftest.py, not by their number of tests.
files="--dist loadfile --no-loadscope-reorder"
# shellcheck disable=SC2086 # it is words
check "pytest" $bin/python -m pytest -n 2 $files --ignore tests/end_to_end
# three on two cores, since what waits for a window leaves them idle
# shellcheck disable=SC2086
check "pytest end to end" $bin/python -m pytest -n 3 $files tests/end_to_end --ignore $live
# alone: it compares times between frames, which another window on two cores would change
check "pytest live" $bin/python -m pytest $live

if [ -n "$failed" ]; then
    printf '\nFAILED: %s\n' "${failed%; }"
    exit 1
fi
printf '\nall passed\n'
