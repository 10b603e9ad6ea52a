/*
[kernel]
title = "Lane 0 divides by its own index"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "i64", length = "32", fill = "zero" }

[launch]
arguments = ["out", "1000"]
grid  = ["1"]
block = ["32"]
*/

extern "C" __global__ void division_by_lane(long long* out, long long total) {
#if FIXED
    out[threadIdx.x] = total / (threadIdx.x + 1ll);
#else
    out[threadIdx.x] = total / static_cast<long long>(threadIdx.x);  // expect: division_by_zero
#endif
}
