/*
[kernel]
title   = "Reduction 5: the last warp unrolled"
subject = "Reduction"
lesson  = "From 32 sums on one warp works alone: it needs no block-wide barrier, only __syncwarp, and no loop."
views   = ["lanes", "source", "banks"]

[parameters]
n     = { default = 65536, min = 1, max = 4194304, help = "elements" }
block = { default = 256, values = [64, 128, 256, 512, 1024], help = "threads a block, a power of two" }

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

// The last six rounds of reduce_sequential belong to the first warp. All its lanes go on adding, since
// switching some of them off would save nothing; what the lanes past the middle compute is never used. Each
// lane reads before any lane writes: that is what the __syncwarp between the two is for.
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
