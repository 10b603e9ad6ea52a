/*
[kernel]
title   = "Fast Walsh-Hadamard transform of rows of 2048 numbers in shared memory"

[parameters]
rows = { default = 1056 }

[buffers]
in = { type = "f32", length = "rows * 2048", fill = "random", seed = "613" }
out = { type = "f32", length = "rows * 2048", fill = "zero" }

[launch]
arguments = ["in", "out"]
grid  = ["rows"]
block = ["1024"]
*/
extern "C" __global__ void walsh_hadamard(const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float row[2048];
    in += (size_t)blockIdx.x * 2048;
    out += (size_t)blockIdx.x * 2048;
    row[threadIdx.x] = in[threadIdx.x];
    row[threadIdx.x + 1024] = in[threadIdx.x + 1024];
    for (int half = 1; half < 2048; half *= 2) {
        __syncthreads();
        const int low = (threadIdx.x / half) * 2 * half + threadIdx.x % half;
        const float a = row[low], b = row[low + half];
        row[low] = a + b;
        row[low + half] = a - b;
    }
    __syncthreads();
    out[threadIdx.x] = row[threadIdx.x];
    out[threadIdx.x + 1024] = row[threadIdx.x + 1024];
}
