/*
[kernel]
title = "Bins counted without atomics"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
in = { type = "i32", length = "128", fill = "iota" }
out = { type = "i32", length = "16", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["1"]
block = ["128"]
*/

extern "C" __global__ void race_shared_histogram(int* out, const int* in) {
    __shared__ int bins[16];
    if (threadIdx.x < 16) bins[threadIdx.x] = 0;
    __syncthreads();
#if FIXED
    atomicAdd(&bins[in[threadIdx.x] & 15], 1);
#else
    bins[in[threadIdx.x] & 15] += 1;  // expect: shared_race
#endif
    __syncthreads();
    if (threadIdx.x < 16) out[threadIdx.x] = bins[threadIdx.x];
}
