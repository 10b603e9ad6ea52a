/*
[kernel]
title   = "Lanes claim slots by compare and swap; four of a warp want the same"

[buffers]
slots = { type = "u32", length = "4096", fill = "zero" }
out = { type = "u32", length = "1024", fill = "zero" }

[launch]
arguments = ["slots", "out"]
grid  = ["8"]
block = ["128"]
*/
extern "C" __global__ void claim_slots(unsigned* slots, unsigned* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = i / 4 * 16, tries = 1;
    while (atomicCAS(&slots[at], 0u, i + 1) != 0) {
        ++at;
        ++tries;
    }
    const unsigned place = at * 2654435761u >> 7;
    out[i] = (place ^ tries) % 1009 + tries;
}
