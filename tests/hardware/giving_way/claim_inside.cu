/*
[kernel]
title   = "The same inside of a branch, with code after it"

[buffers]
slots = { type = "u32", length = "4096", fill = "zero" }
out = { type = "u32", length = "1024", fill = "zero" }

[launch]
arguments = ["slots", "out"]
grid  = ["8"]
block = ["128"]
*/
extern "C" __global__ void claim_inside(unsigned* slots, unsigned* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = i / 4 * 16, tries = 1;
    if ((i & 16) == 0) {
        while (atomicCAS(&slots[at], 0u, i + 1) != 0) {
            ++at;
            ++tries;
        }
        out[i] = at % 1009;
        at = at * 3 + out[i ^ 1];
    }
    out[i] += (at ^ tries) % 1013;
}
