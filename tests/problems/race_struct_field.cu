/*
[kernel]
title = "One thread writes a struct's field, others read it"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "i32", length = "64", fill = "zero" }

[launch]
arguments = ["out", "3", "40"]
grid  = ["1"]
block = ["64"]
*/

struct Range { int first, last; };
extern "C" __global__ void race_struct_field(int* out, int first, int last) {
    __shared__ Range range;
    if (threadIdx.x == 0) {
        range.first = first;  // expect: shared_race
        range.last = last;  // expect: shared_race
    }
#if FIXED
    __syncthreads();
#endif
    out[threadIdx.x] = range.first + range.last;  // expect: shared_race uninitialised_read
}
