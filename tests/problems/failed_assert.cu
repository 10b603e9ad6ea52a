/*
[kernel]
title = "An assertion that does not hold"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "i32", length = "32", fill = "zero" }

[launch]
arguments = ["out", "20"]
grid  = ["1"]
block = ["32"]
*/

#ifndef __CUDACC_RTC__
#include <cassert>
#endif
extern "C" __global__ void failed_assert(int* out, int n) {
    const int i = threadIdx.x;
#if FIXED
    if (i >= n) return;
#endif
    assert(i < n);  // expect: trap
    out[i] = i;
}
