/*
[kernel]
title = "Two arrays in one dynamic allocation that overlap"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
in = { type = "f32", length = "256", fill = "iota" }
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["1"]
block = ["64"]
dynamic_shared_bytes = "1024"
*/

extern "C" __global__ void race_dynamic_shared(float* out, const float* in) {
    extern __shared__ float memory[];
    float* first = memory;
#if FIXED
    float* second = memory + 64;
#else
    float* second = memory + 32;
#endif
    const int i = threadIdx.x;
    first[i] = in[i];  // expect: shared_race
    second[i] = 2.0f * in[i];  // expect: shared_race
    __syncthreads();
    out[i] = first[i] + second[i];
}
