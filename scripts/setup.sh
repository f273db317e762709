#!/bin/sh
# Make .venv ready to run Fellview, and with "test" to check it: scripts/setup.sh [run|test|slow]
# With "slow": to check with other programs, too, what it writes for them.
#
# Missing system packages are installed with apt where that asks for no password; elsewhere the one line to run is
# printed. For running, what the first window needs is compiled ahead, too, again whenever sources or shaders have
# changed; FELLVIEW_WARM_UP=no leaves that out. A second call finds all in place and takes a tenth of a second.
set -eu
cd "$(dirname "$0")/.."
purpose=${1:-run}
others=
if [ "$purpose" = slow ]; then
    purpose=test
    others=yes
fi
python=${PYTHON:-python3}
stamp=.venv/fellview-installed

say() { printf 'fellview: %s\n' "$*" >&2; }

fail() {
    say "$@"
    exit 1
}

command -v "$python" >/dev/null 2>&1 || fail "$python is not on the PATH; Fellview needs Python 3.11 or newer"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "$("$python" --version 2>&1) is too old; Fellview needs Python 3.11 or newer (make PYTHON=/path/to/python3.11 ...)"

usable_venv() { [ -x .venv/bin/python ] && .venv/bin/python -m pip --version >/dev/null 2>&1; }

# Prints the Debian packages of the shared libraries that do not load, given as library=package.
packages_of_missing_libraries() {
    "$python" - "$@" <<'PYTHON'
import ctypes, sys
for pair in sys.argv[1:]:
    library, package = pair.split("=")
    try:
        ctypes.CDLL(library)
    except OSError:
        print(package)
PYTHON
}

# What was made by a whole, unchanged set-up needs no look at pip; its path is part of it, since an editable install
# points to the checkout.
wanted=$(printf '%s\n' "$PWD" && cat pyproject.toml)
installed() { [ "$(cat "$stamp-$1" 2>/dev/null)" = "$wanted" ]; }

# Compiles what the first window needs, where one can open, unless that is done of the sources as they are.
warm_up() {
    [ "$purpose" = run ] && [ "${FELLVIEW_WARM_UP:-yes}" != no ] || return 0
    [ "$(uname -s)" != Linux ] || [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || return 0
    [ -e "$stamp-warm" ] && [ -z "$(find app shaders -type f -newer "$stamp-warm" ! -path '*/__pycache__/*' -print -quit)" ] &&
        return 0
    .venv/bin/fellview warm-up --opening && : >"$stamp-warm" || say "not all could be compiled; the first window will"
}

vital= # without these nothing starts
wished= # without these a window or a test fails, and says so
if ! installed "$purpose" && ! usable_venv && ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    vital=python3-venv
fi
if [ "$(uname -s)" = Linux ]; then
    # libgl1 brings Mesa's software driver and libX11
    vital="$vital $(packages_of_missing_libraries libEGL.so.1=libegl1 libGL.so.1=libgl1)"
    if [ "$purpose" = test ] || [ -n "${DISPLAY:-}" ]; then
        # glfw opens these by name while it runs, so that no package manager knows of them
        wished=$(packages_of_missing_libraries libX11.so.6=libx11-6 libXcursor.so.1=libxcursor1 libXi.so.6=libxi6 \
            libXinerama.so.1=libxinerama1 libXrandr.so.2=libxrandr2)
    fi
    if [ -n "${WAYLAND_DISPLAY:-}" ]; then
        wished="$wished $(packages_of_missing_libraries libwayland-client.so.0=libwayland-client0 \
            libwayland-cursor.so.0=libwayland-cursor0 libwayland-egl.so.1=libwayland-egl1 \
            libxkbcommon.so.0=libxkbcommon0)"
    fi
    if [ "$purpose" = test ]; then
        command -v Xvfb >/dev/null 2>&1 || wished="$wished xvfb"
        command -v xdotool >/dev/null 2>&1 || wished="$wished xdotool"
    fi
    if [ "$others" ]; then
        command -v blender >/dev/null 2>&1 || wished="$wished blender" # some 400 MB with what it needs
        command -v npm >/dev/null 2>&1 || wished="$wished npm"
        command -v chromium >/dev/null 2>&1 || wished="$wished chromium" # some 300 MB with what it needs
        command -v gdalinfo >/dev/null 2>&1 || wished="$wished gdal-bin"
    fi
fi

# shellcheck disable=SC2086 # the lists are words
set -- $vital $wished
if [ $# -gt 0 ]; then
    as_root=
    possible=yes
    if [ "$(id -u)" != 0 ]; then
        as_root="sudo -n"
        sudo -n true 2>/dev/null || possible=no
    fi
    command -v apt-get >/dev/null 2>&1 || possible=no
    if [ $possible = yes ]; then
        say "installing system packages: $*"
        # an unreachable third-party source must not stop an install from the others
        $as_root apt-get update -q >/dev/null || say "apt-get update failed; trying with the lists there are"
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >/dev/null ||
            possible=no
    fi
    if [ $possible = no ]; then
        say "system packages are missing. On Debian or Ubuntu run this line, elsewhere install their equivalents:"
        say "    sudo apt-get install $*"
        case "$purpose $vital" in
        *python3-venv*) exit 1 ;;
        run\ *lib*) exit 1 ;;
        *) say "going on without them; some things will fail and say so" ;;
        esac
    fi
fi

validator=build/gltf-validator
if [ "$others" ] && [ ! -d $validator/node_modules ] && command -v npm >/dev/null 2>&1; then
    say "installing Khronos' glTF validator into $validator"
    mkdir -p $validator
    npm install --silent --no-audit --no-fund --prefix $validator gltf-validator@2.0.0-dev.3.10 ||
        say "npm could not install it; its tests will be skipped"
fi

if installed "$purpose" && .venv/bin/python -c "" 2>/dev/null; then
    warm_up
    exit 0
fi
if ! usable_venv; then
    say "making .venv with $("$python" --version)"
    rm -rf .venv
    "$python" -m venv .venv || fail "$python -m venv .venv failed; its output above tells why"
fi
extra=
[ "$purpose" = test ] && extra="[test]"
say "installing Fellview and what it needs into .venv (some minutes at the first time)"
.venv/bin/python -m pip install --quiet --disable-pip-version-check --editable ".$extra" ||
    fail "pip could not install Fellview; its output above tells why"
# Python compiles a checkout's sources at their first import, and with PYTHONDONTWRITEBYTECODE at every one
.venv/bin/python -m compileall -q app/fellview || say "the sources could not be compiled; every start will do it"
printf '%s\n' "$wanted" >"$stamp-run"
[ "$purpose" = test ] && printf '%s\n' "$wanted" >"$stamp-test"
warm_up
exit 0
