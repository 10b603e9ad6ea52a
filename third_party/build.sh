#!/usr/bin/env bash
# Configures and builds one preset: build.sh PRESET [--without-tests] [target…]. Quiet when nothing changed; everything
# it prints goes to standard error, so that `./run report … --format json` prints only JSON.
# --without-tests keeps a machine that has no test packages from needing them; it never takes tests out of a build
# folder that has them.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=$1
shift
tests=ON
if [[ ${1:-} == --without-tests ]]; then
    tests=OFF
    shift
fi
cd "$root"
log=build/$preset.log
mkdir -p build
exec 9>"build/$preset.lock"
flock 9  # two builds at once would write over each other

configure() {
    echo "warplens: configuring ($preset)" >&2
    if ! cmake --preset "$preset" "$@" >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "build/$preset/build.ninja"
        echo "warplens: configuring failed; what CMake said stands above and in $log" >&2
        exit 1
    fi
}

if [[ $preset == fuzz ]]; then
    [[ -f build/$preset/build.ninja ]] || configure
elif [[ ! -f build/$preset/build.ninja ]]; then
    configure -DWARPLENS_TESTS=$tests
elif [[ $tests == ON ]] && grep -q '^WARPLENS_TESTS:BOOL=OFF' "build/$preset/CMakeCache.txt"; then
    configure -DWARPLENS_TESTS=ON
fi

targets=()
for target in "$@"; do targets+=(--target "$target"); done
started=$SECONDS
if [[ -t 2 ]]; then
    # On a terminal ninja rewrites one status line: progress without noise.
    NINJA_STATUS="warplens: [%f of %t, %e s] " cmake --build --preset "$preset" "${targets[@]}" >&2 9>&-
else
    NINJA_STATUS="[%p] " cmake --build --preset "$preset" "${targets[@]}" >"$log" 2>&1 9>&- &
    build=$!
    shown=""
    until sleep 0.2; ! kill -0 "$build" 2>/dev/null; do
        (( (SECONDS - started) % 5 == 0 )) || continue
        percent=$(tail -n 1 "$log" | sed -nE 's/^\[ *([0-9]+)%\].*/\1/p')
        [[ -z $percent || $percent == "$shown" ]] || echo "warplens: $percent % built" >&2
        shown=${percent:-$shown}
    done
    if ! wait "$build"; then
        grep -vE '^\[ *[0-9]+%\] (Building|Linking|Generating)' "$log" >&2
        echo "warplens: the build failed; the compiler's messages are above and in $log" >&2
        exit 1
    fi
fi
took=$((SECONDS - started))
if (( took >= 10 )); then echo "warplens: built in $((took / 60)) min $((took % 60)) s" >&2; fi
