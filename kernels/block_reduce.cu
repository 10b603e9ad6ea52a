/*
[kernel]
title   = "Divide each element by its block's sum"
subject = "Warp collectives"
lesson  = "Shuffles sum each warp, one word per warp goes through shared memory, and a second butterfly gives every thread the total."
views   = ["exchange", "tree", "lanes", "banks"]

[parameters]
n     = { default = 16384, min = 1, max = 4194304, help = "elements" }
block = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads per block" }

[buffers]
input  = { type = "f32", length = "n", fill = "random", seed = "1" }
output = { type = "f32", length = "n", fill = "zero" }

[launch]
arguments = ["input", "output", "n"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.output]
tolerance = 1e-5
lua = '''
local sums = {}
for k = 0, n - 1 do
    sums[k // block] = (sums[k // block] or 0.0) + input[k]
end
return function(i)
    return input[i] / sums[i // block]
end
'''
*/

__device__ float warp_sum(float value) {
    for (int distance = 16; distance > 0; distance >>= 1) {
        value += __shfl_xor_sync(0xffffffff, value, distance);
    }
    return value;
}

// After the butterfly every lane has its warp's sum. One lane per warp stores it in shared memory. After the
// barrier every warp reads all sums, one per lane, and adds them in the same way.
extern "C" __global__ void block_reduce(const float* input, float* output, int n) {
    __shared__ float sum_of_warp[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const int index = blockIdx.x * blockDim.x + threadIdx.x;

    const float value = index < n ? input[index] : 0.0f;
    const float own = warp_sum(value);
    if (lane == 0) {
        sum_of_warp[warp] = own;
    }
    __syncthreads();

    const float total = warp_sum(lane < warps ? sum_of_warp[lane] : 0.0f);
    if (index < n) {
        output[index] = value / total;
    }
}
