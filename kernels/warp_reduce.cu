/*
[kernel]
title   = "Warp reduction with shuffles"
subject = "Warp collectives"
lesson  = "Five shuffles sum 32 lanes: each halves the distance, and no memory access is needed in between."
views   = ["exchange", "tree", "lanes", "source"]

[parameters]
n         = { default = 8192, min = 1, max = 4194304, help = "elements" }
block     = { default = 128, values = [32, 64, 128, 256, 512, 1024], help = "threads per block" }
BUTTERFLY = { default = 0, values = [0, 1], macro = true, help = "0: lane 0 gets the sum; 1: every lane gets it" }

[buffers]
input  = { type = "i32", length = "n", fill = "random", below = "1000", seed = "1" }
output = { type = "i32", length = "ceil_div(n, 32)", fill = "zero" }

[launch]
arguments = ["input", "output", "n"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.output]
lua = '''
return function(i)
    local sum = 0
    for k = i * 32, min(i * 32 + 32, n) - 1 do
        sum = sum + input[k]
    end
    return sum
end
'''
*/
#ifndef BUTTERFLY
#define BUTTERFLY 0
#endif

// Lane k adds the value of lane k + 16, then of k + 8, 4, 2, 1: lane 0 ends with the total. The butterfly
// reads lane k xor 16, 8, 4, 2, 1 instead, which costs the same and leaves the total in every lane.
extern "C" __global__ void warp_reduce(const int* input, int* output, int n) {
    constexpr unsigned all_lanes = 0xffffffff;
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = index < n ? input[index] : 0;
    for (int distance = 16; distance > 0; distance >>= 1) {
#if BUTTERFLY
        sum += __shfl_xor_sync(all_lanes, sum, distance);
#else
        sum += __shfl_down_sync(all_lanes, sum, distance);
#endif
    }
    if (threadIdx.x % 32 == 0 && index < n) {
        output[index / 32] = sum;
    }
}
