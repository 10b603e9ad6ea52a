/*
[kernel]
title = "Threads beyond the end have returned; the eighths of a warp that remain vote and sum each for itself"

[buffers]
in = { type = "u32", length = "101", fill = "iota" }
out = { type = "u32", length = "101", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["1"]
block = ["128"]
*/

extern "C" __global__ void right_returned_from_tiles(unsigned* out, const unsigned* in) {
    const unsigned i = threadIdx.x;
    if (i >= 101) return;
    const unsigned eighth = 0xfu << (i & 28);
    const unsigned value = in[i];
    if (__any_sync(eighth, value > 90 && value < 95)) return;
    const unsigned odd = __ballot_sync(eighth, value & 1);
    for (unsigned round = 0; round < (value & 3) + 1; ++round) __syncwarp(__activemask());
    out[i] = __popc(odd);
}
