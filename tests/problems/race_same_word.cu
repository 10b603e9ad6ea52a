/*
[kernel]
title = "All threads write one word, each its own value"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["1"]
block = ["64"]
*/

extern "C" __global__ void race_same_word(float* out) {
    __shared__ float winner;
#if FIXED
    if (threadIdx.x == 0) winner = 1.0f;
#else
    winner = threadIdx.x;  // expect: shared_race
#endif
    __syncthreads();
    out[threadIdx.x] = winner;
}
