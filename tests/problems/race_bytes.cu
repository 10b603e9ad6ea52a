/*
[kernel]
title = "Bytes of one word: neighbours are no race, the same byte is"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "u8", length = "64", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["1"]
block = ["64"]
*/

extern "C" __global__ void race_bytes(unsigned char* out) {
    __shared__ unsigned char flags[64];
    const int i = threadIdx.x;
    flags[i] = i;  // expect: shared_race
#if FIXED
    out[i] = flags[i];
#else
    out[i] = flags[i ^ 1];  // expect: shared_race
#endif
}
