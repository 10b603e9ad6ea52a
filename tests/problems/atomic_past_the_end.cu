/*
[kernel]
title = "A histogram with more values than bins"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
in = { type = "i32", length = "256", fill = "iota" }
bins = { type = "u32", length = "128", fill = "zero" }

[launch]
arguments = ["bins", "in"]
grid  = ["1"]
block = ["256"]
*/

extern "C" __global__ void atomic_past_the_end(unsigned* bins, const int* in) {
    const int value = in[threadIdx.x];
#if FIXED
    if (value < 128) atomicAdd(&bins[value], 1u);
#else
    atomicAdd(&bins[value], 1u);  // expect: out_of_bounds
#endif
}
