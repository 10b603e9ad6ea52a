/*
[kernel]
title   = "The same, and a warp's barrier between the loop and a shuffle"

[buffers]
slots = { type = "u32", length = "4096", fill = "zero" }
out = { type = "u32", length = "1024", fill = "zero" }

[launch]
arguments = ["slots", "out"]
grid  = ["8"]
block = ["128"]
*/
extern "C" __global__ void claim_then_meet(unsigned* slots, unsigned* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = i / 4 * 16, tries = 1;
    while (atomicCAS(&slots[at], 0u, i + 1) != 0) {
        ++at;
        ++tries;
    }
    const unsigned place = at % 1009;
    const unsigned sum = tries + __shfl_xor_sync(0xffffffffu, tries, 1);
    out[i] = place * 7 + sum % 5;
}
