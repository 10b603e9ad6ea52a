/*
[kernel]
title   = "Reduction 7: one instruction per warp"
subject = "Reduction"
lesson  = "For integers the hardware sums a warp in one instruction, and all 32 lanes get the result."
views   = ["lanes", "source", "occupancy"]

[parameters]
n     = { default = 65536, min = 1, max = 4194304, help = "elements" }
block = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads per block, a power of two" }

[buffers]
input  = { type = "i32", length = "n", fill = "random", below = "1000", seed = "1" }
output = { type = "i32", length = "ceil_div(n, block)", fill = "zero" }

[launch]
arguments = ["input", "output", "n"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.output]
lua = '''
return function(i)
    local sum = 0
    for k = i * block, min((i + 1) * block, n) - 1 do
        sum = sum + input[k]
    end
    return sum
end
'''
*/

// Requires compute capability 8.0. The instruction adds only integers, so this kernel sums integers.
extern "C" __global__ void reduce_redux(const int* input, int* output, int n) {
    constexpr unsigned all_lanes = 0xffffffff;
    __shared__ int warp_sum[32];

    const int thread = threadIdx.x;
    const int index = blockIdx.x * blockDim.x + thread;
    const int value = index < n ? input[index] : 0;
    const int sum = __reduce_add_sync(all_lanes, value);
    if ((thread & 31) == 0) {
        warp_sum[thread >> 5] = sum;
    }
    __syncthreads();

    if (thread < 32) {
        const int own = thread < (blockDim.x >> 5) ? warp_sum[thread] : 0;
        const int total = __reduce_add_sync(all_lanes, own);
        if (thread == 0) {
            output[blockIdx.x] = total;
        }
    }
}
