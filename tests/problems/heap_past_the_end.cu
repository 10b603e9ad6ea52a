/*
[kernel]
title = "Past the end of what malloc gave"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "i32", length = "32", fill = "zero" }

[launch]
arguments = ["out", "8"]
grid  = ["1"]
block = ["32"]
*/

extern "C" __global__ void heap_past_the_end(int* out, int n) {
    int* mine = static_cast<int*>(malloc(n * sizeof(int)));
    if (!mine) return;
#if FIXED
    for (int i = 0; i < n; ++i) mine[i] = i;
#else
    for (int i = 0; i <= n; ++i) mine[i] = i;  // expect: out_of_bounds
#endif
    out[threadIdx.x] = mine[threadIdx.x % n];
    free(mine);
}
