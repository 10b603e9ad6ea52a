#!/usr/bin/env bash
# What an NVIDIA GPU does with kernels of tests/hardware: measure_kernels.sh PROGRAM OUT SET…
#   PROGRAM  gpu_machine_counts, built anywhere
#   OUT      a folder for OUT/measured.tar.gz; unpack it and make tables with the three programs named below
#   SET      folders of tests/hardware with kernels and their code, such as held_out
# Of each kernel, by Nsight Compute: counters and executions of each instruction (count_instructions.py), cycles with cold
# and warm caches (time_launches.py) and samples of stalls (sample_stalls.py). It changes no setting of the GPU. Exit code 1:
# a kernel was not measured, and the last lines say which.
set -uo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
[[ $# -ge 3 ]] || { echo "usage: tests/gpu/measure_kernels.sh PROGRAM OUT SET…" >&2; exit 2; }
program=$(readlink -f "$1")
mkdir -p "$2"
out=$(readlink -f "$2")
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sets=()
missing=()
for set in "$@"; do
    kernels=(tests/hardware/"$set"/*.cu)
    list=$(IFS=,; echo "${kernels[*]}")
    sets+=("$set=tests/hardware/$set/code,$list")
    python3 tests/gpu/count_instructions.py profile "$program" "tests/hardware/$set/code" "$work/counts.$set" "${kernels[@]}"
done
python3 tests/gpu/time_launches.py profile "$program" "$work/times" "${sets[@]}"
python3 tests/gpu/sample_stalls.py profile "$program" "$work/stalls" "${sets[@]}"
find "$work" -name '*.ncu-rep' -delete
nvidia-smi --query-gpu=name,driver_version,clocks.sm --format=csv,noheader >"$work/gpu.txt"
date -u +%F >>"$work/gpu.txt"
for set in "$@"; do
    for kernel in tests/hardware/"$set"/*.cu; do
        name=$(basename "$kernel" .cu)
        grep -q "\"$name\b" "$work/times/cold.$set.csv" && grep -q "\"$name\b" "$work/times/warm.$set.csv" &&
            zgrep -q "\"$name\b" "$work/stalls/stalls.$set.csv.gz" && grep -q "^$name," "$work/counts.$set/launched.txt" ||
            missing+=("$set/$name")
    done
done
tar czf "$out/measured.tar.gz" -C "$work" .
if [[ ${#missing[@]} -gt 0 ]]; then
    printf 'not measured: %s\n' "${missing[@]}" >&2
    exit 1
fi
echo "all measured; $out/measured.tar.gz" >&2
