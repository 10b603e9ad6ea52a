/*
[kernel]
title   = "Rows of a summed area table: running sums of 1024 pixels, four by each thread, scanned over the block"

[parameters]
rows = { default = 1056 }

[buffers]
image = { type = "u32", length = "rows * 1024", fill = "random", seed = "1706", below = "256" }
sums = { type = "u32", length = "rows * 1024", fill = "zero" }

[launch]
arguments = ["image", "sums"]
grid  = ["rows"]
block = ["256"]
*/
extern "C" __global__ void summed_rows(const uint4* __restrict__ image, uint4* __restrict__ sums) {
    __shared__ unsigned of_warp[8];
    const int at = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint4 v = image[at];
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    unsigned before = v.w;
    for (int offset = 1; offset < 32; offset *= 2) {
        const unsigned other = __shfl_up_sync(0xffffffffu, before, offset);
        if (lane >= offset) before += other;
    }
    if (lane == 31) of_warp[warp] = before;
    __syncthreads();
    unsigned add = before - v.w;
    for (int w = 0; w < warp; ++w) add += of_warp[w];
    sums[at] = make_uint4(v.x + add, v.y + add, v.z + add, v.w + add);
}
