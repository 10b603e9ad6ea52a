/*
[kernel]
title = "Neighbouring bytes of a word belong to different threads"

[buffers]
out = { type = "u8", length = "128", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["2"]
block = ["64"]
*/

extern "C" __global__ void right_bytes_side_by_side(unsigned char* out) {
    __shared__ unsigned char flags[64];
    const int i = threadIdx.x;
    flags[i] = i;
    out[blockIdx.x * 64 + i] = flags[i] + 1;
}
