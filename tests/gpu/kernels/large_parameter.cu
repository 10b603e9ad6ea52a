/*
[kernel]
title   = "large_parameter"
subject = "Agreement"
lesson  = "A structure of 32,000 bytes is passed by value."

[buffers]
out = { type = "u32", length = "64", fill = "zero" }

[launch]
arguments = ["out", "struct:{u32[8000]=7}"]
grid  = ["1"]
block = ["64"]
dynamic_shared_bytes = "0"
*/

struct Large {
    unsigned values[8000];
};

extern "C" __global__ void large_parameter(unsigned* out, const __grid_constant__ Large large) {
    out[threadIdx.x] = large.values[threadIdx.x * 125] + threadIdx.x;
}
