/*
[kernel]
title = "A recursion that ends, but too late"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
in  = { type = "i32", length = "64", fill = "iota" }
out = { type = "i32", length = "32", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["1"]
block = ["32"]
*/

// Each call keeps an array of 256 bytes: a stack of 1,024 bytes holds three of them, not nine.
#if FIXED
constexpr int kept = 8;
#else
constexpr int kept = 64;
#endif
__device__ __noinline__ int fold(const int* in, int from, int count) {
    int part[kept];
    for (int i = 0; i < kept; ++i) part[i] = in[(from + i) % 64];
    if (count == 0) return part[from % kept];
    return part[count % kept] + fold(in, from + 1, count - 1) + part[from % kept];  // expect: stack_overflow
}
extern "C" __global__ void recursion_too_deep(int* out, const int* in) { out[threadIdx.x] = fold(in, threadIdx.x, 8); }
