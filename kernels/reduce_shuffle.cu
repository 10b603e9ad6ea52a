/*
[kernel]
title   = "Reduction 6: shuffles"
subject = "Reduction"
lesson  = "Lanes exchange their sums in registers: only one word per warp goes through shared memory, with a single barrier."
views   = ["lanes", "tree", "source", "occupancy"]

[parameters]
n     = { default = 65536, min = 1, max = 4194304, help = "elements" }
block = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads per block, a power of two" }

[buffers]
input  = { type = "f32", length = "n", fill = "random", seed = "1" }
output = { type = "f32", length = "ceil_div(n, block)", fill = "zero" }

[launch]
arguments = ["input", "output", "n"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.output]
tolerance = 1e-5
lua = '''
return function(i)
    local sum = 0.0
    for k = i * block, min((i + 1) * block, n) - 1 do
        sum = sum + input[k]
    end
    return sum
end
'''
*/

// Five shuffles sum a warp: lane k adds the sum of lane k + 16, then of k + 8, 4, 2, 1. Lane 0 of each warp
// stores the result in shared memory, and the first warp sums these in the same way.
extern "C" __global__ void reduce_shuffle(const float* input, float* output, int n) {
    constexpr unsigned all_lanes = 0xffffffff;
    __shared__ float warp_sum[32];

    const int thread = threadIdx.x;
    const int index = blockIdx.x * blockDim.x + thread;
    float sum = index < n ? input[index] : 0.0f;
    for (int distance = 16; distance > 0; distance >>= 1) {
        sum += __shfl_down_sync(all_lanes, sum, distance);
    }
    if ((thread & 31) == 0) {
        warp_sum[thread >> 5] = sum;
    }
    __syncthreads();

    if (thread < 32) {
        sum = thread < (blockDim.x >> 5) ? warp_sum[thread] : 0.0f;
        for (int distance = 16; distance > 0; distance >>= 1) {
            sum += __shfl_down_sync(all_lanes, sum, distance);
        }
        if (thread == 0) {
            output[blockIdx.x] = sum;
        }
    }
}
