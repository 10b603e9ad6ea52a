/*
[kernel]
title = "The last block adds up, but nobody fenced"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
partial = { type = "f32", length = "8", fill = "zero" }
count = { type = "u32", length = "1", fill = "zero" }
out = { type = "f32", length = "32", fill = "zero" }

[launch]
arguments = ["partial", "count", "out"]
grid  = ["8"]
block = ["32"]
*/

extern "C" __global__ void race_last_block(float* partial, unsigned* count, float* out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = blockIdx.x;  // expect: global_race
#if FIXED
        __threadfence();
#endif
        last = atomicAdd(count, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < gridDim.x) out[threadIdx.x] = partial[threadIdx.x];  // expect: global_race
}
