/*
[kernel]
title   = "Padding that moves nothing, and padding that does"
subject = "Shared-memory banks"
lesson  = "An extra element at the end of a one-dimensional array moves no other; an extra element in each row moves all rows but the first."
views   = ["banks", "source"]

[parameters]
EXTRA = { default = 0, min = 0, max = 1, macro = true, help = "unused elements at the end of the whole array" }
PAD   = { default = 0, min = 0, max = 1, macro = true, help = "unused elements at the end of each row of 32" }

[buffers]
output = { type = "f32", length = "64 * 32", fill = "zero" }

[launch]
arguments = ["output"]
grid  = ["64"]
block = ["32"]
dynamic_shared_bytes = "0"

[golden.output]
lua = '''
return function(i)
    local sum = 0
    for column = 0, 31 do
        sum = sum + (i % 32) * 32 + column
    end
    return sum
end
'''
*/

#ifndef EXTRA
#define EXTRA 0
#endif
#ifndef PAD
#define PAD 0
#endif

// One warp per block fills 32 rows of 32 elements, kept in an array of one dimension. Then lane i adds up row
// i, so that in each round the warp reads one column. PAD changes where the rows begin; EXTRA only adds a word
// after the last one.
extern "C" __global__ void shared_column(float* output) {
    constexpr int pitch = 32 + PAD;
    __shared__ float table[32 * pitch + EXTRA];

    const int lane = threadIdx.x;
    for (int row = 0; row < 32; ++row) {
        table[row * pitch + lane] = row * 32 + lane;
    }
    __syncthreads();

    float sum = 0.0f;
    for (int column = 0; column < 32; ++column) {
        sum += table[lane * pitch + column];
    }
    output[blockIdx.x * 32 + lane] = sum;
}
