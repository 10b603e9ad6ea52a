#!/usr/bin/env bash
# Configures and builds one preset: build.sh PRESET [target…]. Quiet when nothing changed; everything it says goes
# to standard error, so that `./run report … --format json` prints JSON and nothing else.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=$1
shift
cd "$root"
log=build/$preset.log
mkdir -p build

if [[ ! -f build/$preset/build.ninja ]]; then
    echo "warplens: configuring ($preset)" >&2
    if ! cmake --preset "$preset" >"$log" 2>&1; then
        cat "$log" >&2
        echo "warplens: configuring failed; what CMake said stands above and in $log" >&2
        exit 1
    fi
fi

targets=()
for target in "$@"; do targets+=(--target "$target"); done
if [[ -t 2 ]]; then
    # On a terminal ninja rewrites one status line: progress without noise.
    cmake --build --preset "$preset" "${targets[@]}" >&2
elif ! cmake --build --preset "$preset" "${targets[@]}" >"$log" 2>&1; then
    grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking|Generating)' "$log" >&2
    echo "warplens: the build failed; what the compiler said stands above and in $log" >&2
    exit 1
fi
