#!/usr/bin/env bash
# Makes the README's pictures with the program itself: docs/make_pictures.sh. Needs no display but for two, which are taken of the
# real window under Xvfb.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
shot() { ./run shot "$@"; }
pictures=docs/pictures
shot transpose_tiled --view window --size 1600x900 --theme light -o $pictures/window.png
shot transpose_tiled --set PAD=0 --view banks --size 1200x780 -o $pictures/banks_pad0.png
shot transpose_tiled --set PAD=1 --view banks --size 1200x780 -o $pictures/banks_pad1.png
shot transpose_tiled --set PAD=0 --versus PAD=1 --view banks --size 1200x780 -o $pictures/compare.png
shot copy_strided --set stride=2 --view sectors --size 1200x800 -o $pictures/sectors.png
shot transpose_tiled --set W=128 --set H=96 --view map --size 1600x800 -o $pictures/map.png
shot branch_nested --view lanes --size 1400x800 -o $pictures/lanes.png
shot matmul_tiled --set TILE=32 --view occupancy --size 1400x900 -o $pictures/occupancy.png
shot transpose_tiled --set PAD=0 --view timeline --size 1600x900 -o $pictures/timeline.png
shot transpose_tiled --set PAD=0 --view whatif --size 1400x800 -o $pictures/whatif.png
shot matmul_tiled --view roofline --size 1400x800 -o $pictures/roofline.png
shot matmul_tiled --view source --code cuda,ptx,machine --size 1900x1000 -o $pictures/source.png
shot missing_barrier --view problems --size 1400x760 -o $pictures/problems.png || [[ $? == 1 ]]  # 1: it has problems
shot transpose_tiled --view sweep --size 1400x640 -o $pictures/sweep.png
shot warp_reduce --view exchange --size 1400x900 -o $pictures/exchange.png
shot reduce_sequential --view values --select warp=0,line=50 --size 1400x900 -o $pictures/values.png
shot mma_matmul --view fragments --size 1400x1000 -o $pictures/fragments.png
shot cluster_histogram --view clusters --size 1400x900 -o $pictures/clusters.png
shot histogram_shared --view atomics --size 1400x900 -o $pictures/atomics.png
shot scan_blelloch --set block=32 --view tree --size 1400x900 -o $pictures/tree.png
shot child_launch --view launches --size 1400x620 -o $pictures/launches.png
shot matmul_tiled --view hierarchy --size 1400x900 -o $pictures/hierarchy.png
shot matmul_tiled --view sm --size 1400x900 -o $pictures/sm.png
shot mandelbrot --view grid --size 1400x900 -o $pictures/grid.png
shot tests/gpu/advice/tile_product.cu --view explain --size 1600x900 -o $pictures/advice.png
# Measured on a GPU, from the recordings in assets/recordings.
shot transpose_tiled --set PAD=1 --engine recorded --view timeline --size 1600x900 -o $pictures/timeline_measured.png
shot matmul_tiled --engine recorded --view measured --size 1600x800 -o $pictures/measured.png
shot streams_pipeline --engine recorded --view streams --size 1600x900 -o $pictures/streams.png
# Larger than the window, so that the pointer in its middle lies outside.
screen="-screen 0 3600x2200x24"
xvfb-run -a -s "$screen" ./run tests/gpu/advice/tile_product.cu --edit --exit-after-frames 900 --picture $pictures/own_file.png
./run program tests/golden/programs/reductions.cu -o $pictures/program.png --size 1400x700
xvfb-run -a -s "-screen 0 1400x800x24" ./run lesson banks --step 3 --exit-after-frames 60 --picture $pictures/lesson.png
