/*
[kernel]
title   = "clock_branch"
subject = "Agreement"
lesson  = "A branch depends on the clock; the loads before and after do not."

[buffers]
in = { type = "u32", length = "1024", fill = "iota" }
out = { type = "u32", length = "1024", fill = "zero" }

[launch]
arguments = ["in", "out"]
grid  = ["8"]
block = ["128"]
dynamic_shared_bytes = "0"
*/

extern "C" __global__ void clock_branch(const unsigned* in, unsigned* out) {
    const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = in[index];
    if ((clock() >> 3 & 1) != 0) value += in[index ^ 64];
    else value *= in[index ^ 32];
    out[index] = in[1023 - index];
    if (value == 0xfffffffu) out[0] = value;
}
