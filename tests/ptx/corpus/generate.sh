#!/usr/bin/env bash
# Makes the .ptx files here anew from the .cu files, with the nvcc on the path. Folders are cut from .file names,
# so that the corpus does not depend on the machine that made it.
set -euo pipefail
cd "$(dirname "$0")"
for source in *.cu; do
    for target in 75 90 100; do
        nvcc -std=c++17 -ptx -lineinfo -arch="compute_$target" "$source" -o "${source%.cu}_compute_$target.ptx"
    done
done
nvcc -std=c++17 -ptx -lineinfo -arch=compute_120 devices.cu -o devices_compute_120.ptx
sed -i -E 's#^(\s*\.file\s+[0-9]+ ")[^"]*/#\1#' ./*.ptx
