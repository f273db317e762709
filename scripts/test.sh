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
check "ruff check" $bin/ruff check .
check "ruff format" $bin/ruff format --check .
check "mypy" $bin/mypy
check "lint-imports" $bin/lint-imports
check "pytest" $bin/python -m pytest -n 2 --ignore tests/end_to_end
# serial: these drive a real window, and two of them on two cores would measure each other
check "pytest end to end" $bin/python -m pytest tests/end_to_end

if [ -n "$failed" ]; then
    printf '\nFAILED: %s\n' "${failed%; }"
    exit 1
fi
printf '\nall passed\n'
