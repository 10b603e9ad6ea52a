#!/usr/bin/env bash
# Makes the README's pictures with the program itself. Needs no display: docs/make_pictures.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
shot() { ./run shot "$@"; }
pictures=docs/pictures
shot transpose_tiled --view window --size 1760x1000 --theme light -o $pictures/window.png
shot transpose_tiled --set PAD=0 --view banks --size 1600x1000 -o $pictures/banks_pad0.png
shot transpose_tiled --set PAD=1 --view banks --size 1600x1000 -o $pictures/banks_pad1.png
shot copy_strided --set stride=2 --view sectors --size 1200x800 -o $pictures/sectors.png
shot branch_nested --view lanes --size 1400x800 -o $pictures/lanes.png
shot matmul_tiled --set TILE=32 --view occupancy --size 1400x900 -o $pictures/occupancy.png
shot transpose_tiled --set PAD=0 --view timeline --size 1600x900 -o $pictures/timeline.png
shot transpose_tiled --set PAD=0 --view whatif --size 1400x800 -o $pictures/whatif.png
shot matmul_tiled --view roofline --size 1400x800 -o $pictures/roofline.png
shot matmul_tiled --view source --size 1600x900 -o $pictures/source.png
# Measured on a GPU, from the recordings in assets/recordings.
shot transpose_tiled --set PAD=1 --engine recorded --view timeline --size 1600x900 -o $pictures/timeline_measured.png
shot matmul_tiled --engine recorded --view measured --size 1600x800 -o $pictures/measured.png
shot streams_pipeline --engine recorded --view streams --size 1600x900 -o $pictures/streams.png
