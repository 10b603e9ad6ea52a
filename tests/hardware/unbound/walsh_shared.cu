/*
[kernel]
title   = "A fast Walsh transform of 2048 numbers for each block, in shared memory"

[parameters]
transforms = { default = 528 }

[buffers]
numbers = { type = "f32", length = "transforms * 2048", fill = "random", seed = "1722" }

[launch]
arguments = ["numbers"]
grid  = ["transforms"]
block = ["256"]
*/
extern "C" __global__ void walsh_shared(float* __restrict__ numbers) {
    __shared__ float v[2048];
    float* own = numbers + blockIdx.x * 2048;
    for (int i = threadIdx.x; i < 2048; i += 256) v[i] = own[i];
    for (int half = 1; half < 2048; half *= 2) {
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int i = k * 256 + threadIdx.x, low = (i & ~(half - 1)) * 2 + (i & (half - 1));
            const float a = v[low], b = v[low + half];
            v[low] = a + b;
            v[low + half] = a - b;
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 2048; i += 256) own[i] = v[i] * 0.0220971f;
}
