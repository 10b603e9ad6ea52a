#!/usr/bin/env bash
# Everything that needs an NVIDIA GPU, in one go: run_all.sh OUT [PROGRAMS]
#   OUT       a folder for the tables and recordings
#   PROGRAMS  a folder with the programs built elsewhere: gpu_* and warplens-record.tar.gz; without it they are built here
# Start it anywhere; it works in the project's root. What it leaves in OUT is to be committed: *.csv and *.txt in
# tests/gpu/h200/ (or a folder named after another GPU), recordings/ in assets/recordings/. Exit code 1: something failed or
# differed, and the last lines say what. It takes about four minutes and changes no setting of the GPU.
set -uo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD
[[ $# -ge 1 ]] || { echo "usage: tests/gpu/run_all.sh OUT [PROGRAMS]" >&2; exit 2; }
mkdir -p "$1"
out=$(readlink -f "$1")
if [[ $# -ge 2 ]]; then
    programs=$(readlink -f "$2")
else
    third_party/build.sh release gpu_programs warplens_bundle || exit 2
    programs=$root/build/release/gpu
    cp build/release/warplens-record.tar.gz "$programs/"
fi
failed=()
step() {  # NAME FILE COMMAND…: the command's output goes to OUT/FILE
    local name=$1 file=$2
    shift 2
    echo "== $name" >&2
    "$@" >"$out/$file" || failed+=("$name (exit code $?)")
}
bundle=$(mktemp -d)
trap 'rm -rf "$bundle"' EXIT
tar xzf "$programs/warplens-record.tar.gz" -C "$bundle"
recorder=$bundle/warplens-record/warplens-record

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader >"$out/gpu.txt"
date -u +%F >>"$out/gpu.txt"
step "faults, hangs and full memory" failures.txt "$programs/gpu_smoke"
step "cost of recording" recording_cost.csv "$programs/gpu_recording_cost"
agree_all() {
    local status=0 kernel
    for kernel in $("$recorder" list | cut -d' ' -f1); do
        case $kernel in
            missing_barrier | barrier_in_branch) continue ;;  # wrong on purpose: what a GPU makes of them is undefined
            child_launch) continue ;;                         # its children need the device run-time's library
            texture_blur) continue ;;                         # textures are the CPU engine's alone
        esac
        "$recorder" agree "$kernel" || status=1
    done
    return $status
}
step "agreement with the CPU engine" agreement.txt agree_all
step "recordings" recordings.txt "$recorder" recordings -o "$out/recordings"
step "from knob to picture" live_latency.csv "$programs/gpu_live_latency"
step "streams and graphs" streams.txt "$programs/gpu_streams" "$out"
if [[ ${#failed[@]} -gt 0 ]]; then
    printf 'FAILED: %s\n' "${failed[@]}" >&2
    exit 1
fi
echo "all done; results are in $out" >&2
