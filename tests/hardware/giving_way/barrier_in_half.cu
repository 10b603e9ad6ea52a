/*
[kernel]
title   = "A barrier that only some lanes of a warp reach in each pass"

[buffers]
slots = { type = "u32", length = "8192", fill = "zero" }
out = { type = "u32", length = "1024", fill = "zero" }

[launch]
arguments = ["slots", "out"]
grid  = ["4"]
block = ["64"]
*/
extern "C" __global__ void barrier_in_half(unsigned* slots, unsigned* out) {
    __shared__ unsigned cache[64];
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, k = threadIdx.x;
    cache[k] = i;
    __syncthreads();
    unsigned half = 32;
    while (half != 0) {
        if (k < half) {
            cache[k] += cache[k + half];
            __syncthreads();
        }
        half /= 2;
    }
    out[i] = k + 1;
    if (k == 0) slots[blockIdx.x] = cache[0];
}
