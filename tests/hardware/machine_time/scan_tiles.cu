/*
[kernel]
title   = "Inclusive prefix sum of tiles of 2048, eight elements per thread"

[parameters]
n = { default = 2097152 }

[buffers]
in = { type = "i32", length = "n", fill = "random", seed = "10", below = "100" }
out = { type = "i32", length = "n", fill = "zero" }

[launch]
arguments = ["in", "out"]
grid  = ["n // 2048"]
block = ["256"]
*/
extern "C" __global__ void scan_tiles(const int4* in, int4* out) {
    __shared__ int totals[8];
    const int first = (blockIdx.x * 256 + threadIdx.x) * 2, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int4 a = in[first], b = in[first + 1];
    int v[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
    for (int i = 1; i < 8; ++i) v[i] += v[i - 1];
    int running = v[7];
    for (int distance = 1; distance < 32; distance *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, running, distance);
        if (lane >= distance) running += other;
    }
    if (lane == 31) totals[warp] = running;
    __syncthreads();
    int before = running - v[7];
    for (int i = 0; i < warp; ++i) before += totals[i];
    for (int i = 0; i < 8; ++i) v[i] += before;
    out[first] = make_int4(v[0], v[1], v[2], v[3]);
    out[first + 1] = make_int4(v[4], v[5], v[6], v[7]);
}
