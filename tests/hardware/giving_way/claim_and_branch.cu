/*
[kernel]
title   = "Lanes claim slots, and in each try take one of two ways"

[buffers]
slots = { type = "u32", length = "8192", fill = "zero" }
out = { type = "u32", length = "1024", fill = "zero" }
extra = { type = "u32", length = "1024", fill = "zero" }

[launch]
arguments = ["slots", "out", "extra"]
grid  = ["8"]
block = ["128"]
*/
extern "C" __global__ void claim_and_branch(unsigned* slots, unsigned* out, unsigned* extra) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = i / 4 * 16, sum = 0;
    while (atomicCAS(&slots[at], 0u, i + 1) != 0) {
        ++at;
        if (i & 8) {
#pragma unroll 1
            for (unsigned k = 0; k < 3 + (at & 1); ++k) sum = sum * 3 + out[(i + k) & 1023];
        } else {
#pragma unroll 1
            for (unsigned k = 0; k < 2 + (at & 1); ++k) sum = sum * 5 + out[(i + 2 * k) & 1023];
        }
        sum = sum % 1009;
    }
    extra[i] = sum + at;
}
