#!/bin/sh
# Open the viewer, or where there is no display render a picture: scripts/run.sh [ARGUMENT ...]
set -eu
cd "$(dirname "$0")/.."
if [ $# -gt 0 ] || [ "$(uname -s)" != Linux ] || [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec .venv/bin/fellview "$@"
fi
echo "fellview: no display here (DISPLAY and WAYLAND_DISPLAY are empty), so this renders fellview.png instead" >&2
exec .venv/bin/fellview render -o fellview.png
