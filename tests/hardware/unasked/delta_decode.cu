/*
[kernel]
title   = "Differences summed to values: one warp per block of 128, four per lane and a scan by shuffles"

[parameters]
n = { default = 2162688 }

[buffers]
deltas = { type = "u8", length = "n", fill = "random", seed = "1061", below = "256" }
firsts = { type = "u32", length = "n / 128", fill = "random", seed = "1062", below = "1000000" }
values = { type = "u32", length = "n", fill = "zero" }

[launch]
arguments = ["deltas", "firsts", "values", "n"]
grid  = ["ceil_div(n, 1024)"]
block = ["256"]
*/
extern "C" __global__ void delta_decode(const uchar4* __restrict__ deltas, const unsigned* __restrict__ firsts,
                                        uint4* __restrict__ values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    if (4 * i >= n) return;
    const uchar4 d = deltas[i];
    const unsigned a = d.x, b = a + d.y, c = b + d.z, e = c + d.w;
    unsigned sum = e;
    for (int by = 1; by < 32; by *= 2) {
        const unsigned other = __shfl_up_sync(0xffffffffu, sum, by);
        if (lane >= by) sum += other;
    }
    const unsigned before = sum - e + firsts[i / 32];
    values[i] = make_uint4(before + a, before + b, before + c, before + e);
}
