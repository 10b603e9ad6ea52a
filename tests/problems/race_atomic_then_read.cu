/*
[kernel]
title = "Bins read while others still count"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
in = { type = "i32", length = "128", fill = "iota" }
out = { type = "i32", length = "128", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["1"]
block = ["128"]
*/

extern "C" __global__ void race_atomic_then_read(int* out, const int* in) {
    __shared__ int bins[128];
    bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[in[threadIdx.x] & 15], 1);  // expect: shared_race
#if FIXED
    __syncthreads();
#endif
    out[threadIdx.x] = bins[threadIdx.x];  // expect: shared_race
}
