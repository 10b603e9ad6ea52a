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
# Two builds at once would write over each other.
if ! flock -n 9; then
    echo "warplens: waits for the build that is under way" >&2
    flock 9
fi

configure() {
    echo "warplens: configuring ($preset)" >&2
    if ! cmake --preset "$preset" "$@" >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "build/$preset/build.ninja"
        echo "warplens: configuring failed; what CMake said stands above and in $log" >&2
        exit 1
    fi
}

if [[ ! -f build/$preset/build.ninja ]]; then
    configure -DWARPLENS_TESTS=$tests
elif [[ $tests == ON ]] && grep -q '^WARPLENS_TESTS:BOOL=OFF' "build/$preset/CMakeCache.txt"; then
    configure -DWARPLENS_TESTS=ON
fi

started=$SECONDS
# The time left follows from the steps that ninja has finished and those that it still has: within a third of the truth
# on a first build, because steps differ in length.
progress() {
    local finished=$1 total=$2 elapsed=$((SECONDS - started)) left=""
    if (( elapsed >= 15 && finished < total )); then
        local seconds=$((elapsed * (total - finished) / finished))
        left=", about $(((seconds + 59) / 60)) min left"
        (( seconds >= 60 )) || left=", less than a minute left"
    fi
    echo "warplens: $finished of $total build steps$left"
}

NINJA_STATUS="[%f/%t] " ninja -C "build/$preset" "$@" >"$log" 2>&1 9>&- &
build=$!
trap 'kill "$build" 2>/dev/null; exit 130' INT TERM  # ninja stops the compilers
period=10 shown="" due=0
if [[ -t 2 ]]; then period=1; fi
until sleep 0.2; ! kill -0 "$build" 2>/dev/null; do
    (( SECONDS - started >= due )) || continue
    due=$((SECONDS - started + period))
    steps=$(tail -n 1 "$log" | sed -nE 's/^\[([0-9]+)\/([0-9]+)\].*/\1 \2/p')
    [[ -n $steps && $steps != "0 "* && ( $steps != "$shown" || -t 2 ) ]] || continue
    shown=$steps
    # On a terminal one line is written again and again.
    if [[ -t 2 ]]; then printf '\r%s\e[K' "$(progress $steps)" >&2; else progress $steps >&2; fi
done
if [[ -t 2 && -n $shown ]]; then printf '\r\e[K' >&2; fi
if ! wait "$build"; then
    grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking|Generating)' "$log" >&2
    echo "warplens: the build failed; the compiler's messages are above and in $log" >&2
    exit 1
fi
took=$((SECONDS - started))
if (( took >= 10 )); then echo "warplens: built in $((took / 60)) min $((took % 60)) s" >&2; fi
