/*
[kernel]
title   = "Lanes claim slots that nobody else wants, then take one of two ways"

[buffers]
slots = { type = "u32", length = "8192", fill = "zero" }
out = { type = "u32", length = "1024", fill = "zero" }

[launch]
arguments = ["slots", "out"]
grid  = ["8"]
block = ["128"]
*/
extern "C" __global__ void claim_alone_then_branch(unsigned* slots, unsigned* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = i * 4, sum = 0;
    while (atomicCAS(&slots[at], 0u, i + 1) != 0) ++at;
    if (i & 8) {
#pragma unroll 1
        for (unsigned k = 0; k < 3; ++k) sum = sum * 3 + slots[(i * 4 + k + 1) & 8191];
    } else {
#pragma unroll 1
        for (unsigned k = 0; k < 2; ++k) sum = sum * 5 + slots[(i * 4 + k + 2) & 8191];
    }
    out[i] = (sum + at) % 1009;
}
