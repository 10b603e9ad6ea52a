/*
[kernel]
title   = "Histogram of colours in 4096 bins: lanes of one colour are matched, the first of them adds for all in global memory"

[parameters]
n = { default = 1048576 }

[buffers]
pixels = { type = "u32", length = "n", fill = "formula", value = "(random(16) << 20 | random(8) << 12 | random(4) << 4)", seed = "409" }
bins = { type = "u32", length = "4096", fill = "zero" }

[launch]
arguments = ["pixels", "bins", "n"]
grid  = ["528"]
block = ["256"]
*/
extern "C" __global__ void color_histogram(const unsigned* __restrict__ pixels, unsigned* __restrict__ bins, int n) {
    const int lane = threadIdx.x % 32, step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < n; i += step) {
        const unsigned pixel = i < n ? pixels[i] : 0;
        const unsigned bin = (pixel >> 20 & 15) << 8 | (pixel >> 12 & 15) << 4 | (pixel >> 4 & 15);
        const unsigned same = __match_any_sync(0xffffffffu, bin);
        if (__ffs(same) - 1 == lane) atomicAdd(bins + bin, __popc(same));
    }
}
