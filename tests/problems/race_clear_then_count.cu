/*
[kernel]
title = "Bins counted before all are cleared"

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

extern "C" __global__ void race_clear_then_count(int* out, const int* in) {
    __shared__ int bins[128];
    bins[threadIdx.x] = 0;  // expect: shared_race
#if FIXED
    __syncthreads();
#endif
    atomicAdd(&bins[127 - in[threadIdx.x]], 1);  // expect: shared_race
    __syncthreads();
    out[threadIdx.x] = bins[threadIdx.x];
}
