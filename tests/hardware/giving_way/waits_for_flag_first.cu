/*
[kernel]
title   = "A lane leaves a polling loop when the next lane, which waits behind it, has gone on"

[buffers]
flags = { type = "u32", length = "256", fill = "zero" }
out = { type = "u32", length = "1024", fill = "zero" }

[launch]
arguments = ["flags", "out"]
grid  = ["2"]
block = ["32"]
*/
extern "C" __global__ void waits_for_flag_first(volatile unsigned* flags, unsigned* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = i & 31;
    while (lane != 0 && flags[i - 1] == 0) {}
    out[i] = i % 13 + lane;
    __threadfence();
    flags[i] = 1;
}
