/*
[kernel]
title = "A lane votes with a mask that does not name it"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "u32", length = "32", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["1"]
block = ["32"]
*/

extern "C" __global__ void vote_without_oneself(unsigned* out) {
#if FIXED
    const unsigned mask = 0xffffffffu;
#else
    const unsigned mask = 0x7fffffffu;
#endif
    out[threadIdx.x] = __ballot_sync(mask, threadIdx.x & 1);  // expect: absent_lane
}
