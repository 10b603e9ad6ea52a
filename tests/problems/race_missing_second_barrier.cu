/*
[kernel]
title = "The tile is loaded anew while others still read it"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
in = { type = "f32", length = "256", fill = "iota" }
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["1"]
block = ["128"]
*/

extern "C" __global__ void race_missing_second_barrier(float* out, const float* in) {
    __shared__ float tile[128];
    const int i = threadIdx.x;
    float sum = 0.0f;
    for (int step = 0; step < 2; ++step) {
        tile[i] = in[step * 128 + i];  // expect: shared_race
        __syncthreads();
        for (int k = 0; k < 128; ++k) sum += tile[k];  // expect: shared_race
#if FIXED
        __syncthreads();
#endif
    }
    out[i] = sum;
}
