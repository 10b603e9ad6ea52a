/*
[kernel]
title   = "Slots are claimed four times in a loop that no lane leaves early"

[buffers]
slots = { type = "u32", length = "4096", fill = "zero" }
out = { type = "u32", length = "1024", fill = "zero" }

[launch]
arguments = ["slots", "out"]
grid  = ["8"]
block = ["128"]
*/
extern "C" __global__ void claim_again(unsigned* slots, unsigned* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
#pragma unroll 1
    for (unsigned round = 0; round < 4; ++round) {
        unsigned at = i / 4 * 16 + round * 4;
        while (atomicCAS(&slots[at], 0u, i + 1) != 0) ++at;
        sum = sum * 5 + at % 1009;
    }
    out[i] = sum;
}
