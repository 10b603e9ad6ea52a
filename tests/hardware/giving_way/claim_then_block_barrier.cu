/*
[kernel]
title   = "Slots are claimed, then all threads of the block meet"

[buffers]
slots = { type = "u32", length = "8192", fill = "zero" }
out = { type = "u32", length = "1024", fill = "zero" }

[launch]
arguments = ["slots", "out"]
grid  = ["8"]
block = ["128"]
*/
extern "C" __global__ void claim_then_block_barrier(unsigned* slots, unsigned* out) {
    __shared__ unsigned places[128];
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = i / 4 * 16;
    while (atomicCAS(&slots[at], 0u, i + 1) != 0) ++at;
    places[threadIdx.x] = at % 1009;
    __syncthreads();
    unsigned sum = 0;
    if (i & 16) {
#pragma unroll 1
        for (unsigned k = 0; k < 3; ++k) sum = sum * 3 + places[(threadIdx.x + k) & 127];
    } else {
#pragma unroll 1
        for (unsigned k = 0; k < 2; ++k) sum = sum * 5 + places[(threadIdx.x * 2 + k) & 127];
    }
    out[i] = sum;
}
