/*
[kernel]
title   = "Running maxima of segments that flags begin, over each warp by shuffles"

[parameters]
n = { default = 540672 }

[buffers]
values = { type = "i32", length = "n", fill = "random", seed = "1605", below = "100000" }
flags = { type = "u8", length = "n", fill = "random", seed = "1606", below = "8" }
maxima = { type = "i32", length = "n", fill = "zero" }

[launch]
arguments = ["values", "flags", "maxima", "n"]
grid  = ["ceil_div(n, 256)"]
block = ["256"]
*/
extern "C" __global__ void flagged_maxima(const int* __restrict__ values, const unsigned char* __restrict__ flags,
                                          int* __restrict__ maxima, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int lane = threadIdx.x & 31;
    int most = values[i];
    const unsigned begins = __ballot_sync(0xffffffffu, flags[i] == 0 || lane == 0);
    const int begin = 31 - __clz(begins & (0xffffffffu >> (31 - lane)));
    for (int step = 1; step < 32; step *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, most, step);
        if (lane - step >= begin) most = max(most, other);
    }
    maxima[i] = most;
}
