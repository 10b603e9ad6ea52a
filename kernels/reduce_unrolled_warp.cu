/*
[kernel]
title   = "Reduction 5: the last warp unrolled"
subject = "Reduction"
lesson  = "The last 32 sums need only one warp: no block-wide barrier and no loop, only __syncwarp."
views   = ["lanes", "tree", "source", "banks"]

[parameters]
n     = { default = 65536, min = 1, max = 4194304, help = "elements" }
block = { default = 256, values = [64, 128, 256, 512, 1024], help = "threads per block, a power of two" }

[buffers]
input  = { type = "f32", length = "n", fill = "random", seed = "1" }
output = { type = "f32", length = "ceil_div(n, block)", fill = "zero" }

[launch]
arguments = ["input", "output", "n"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "block * 4"

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

// The first warp executes the last six rounds of reduce_sequential. All its lanes keep adding, since
// switching some off would save nothing; the results of the lanes past the middle are not used. Each lane
// reads before any lane writes: the __syncwarp between the two ensures that.
extern "C" __global__ void reduce_unrolled_warp(const float* input, float* output, int n) {
    extern __shared__ float partial[];

    const int thread = threadIdx.x;
    const int index = blockIdx.x * blockDim.x + thread;
    partial[thread] = index < n ? input[index] : 0.0f;
    __syncthreads();

    for (unsigned distance = blockDim.x / 2; distance > 32; distance >>= 1) {
        if (thread < distance) {
            partial[thread] += partial[thread + distance];
        }
        __syncthreads();
    }

    if (thread < 32) {
        float sum = partial[thread];
#pragma unroll
        for (int distance = 32; distance > 0; distance >>= 1) {
            sum += partial[thread + distance];
            __syncwarp();
            partial[thread] = sum;
            __syncwarp();
        }
        if (thread == 0) {
            output[blockIdx.x] = sum;
        }
    }
}
