/*
[kernel]
title = "A float4 stored where another thread loads floats"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
in = { type = "f32", length = "256", fill = "iota" }
out = { type = "f32", length = "64", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["1"]
block = ["64"]
*/

extern "C" __global__ void race_vector(float* out, const float4* in) {
    __shared__ float4 tile[64];
    const int i = threadIdx.x;
    tile[i] = in[i];  // expect: shared_race
#if FIXED
    __syncthreads();
#endif
    out[i] = reinterpret_cast<float*>(tile)[(4 * i + 130) & 255];  // expect: shared_race uninitialised_read
}
