/*
[kernel]
title   = "Odd lanes poll a flag that even lanes of the warp raise after a loop"

[buffers]
flags = { type = "u32", length = "256", fill = "zero" }
out = { type = "u32", length = "1024", fill = "zero" }

[launch]
arguments = ["flags", "out"]
grid  = ["4"]
block = ["64"]
*/
extern "C" __global__ void neighbour_raises_flag(volatile unsigned* flags, unsigned* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = i;
    if (i & 1) {
        while (flags[i] == 0) {}
        value = value * 3 + flags[i];
    } else {
        flags[i + 1] = value % 7 + 1;
        value = value * 5 + 1;
    }
    out[i] = value % 1009;
}
