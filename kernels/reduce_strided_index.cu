/*
[kernel]
title   = "Reduction 2: packed threads, strided data"
subject = "Reduction"
lesson  = "The active threads now fill complete warps, but their data are 2, 4, 8, ... words apart: bank conflicts."
views   = ["banks", "tree", "lanes", "source"]

[parameters]
n     = { default = 65536, min = 1, max = 4194304, help = "elements" }
block = { default = 256, values = [16, 32, 64, 128, 256, 512, 1024], help = "threads per block, a power of two" }

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

// As reduce_interleaved, but the first threads of the block do the work instead of scattered ones, so that
// warps become idle early. The cost moves from inactive lanes to bank conflicts.
extern "C" __global__ void reduce_strided_index(const float* input, float* output, int n) {
    extern __shared__ float partial[];

    const int thread = threadIdx.x;
    const int index = blockIdx.x * blockDim.x + thread;
    partial[thread] = index < n ? input[index] : 0.0f;
    __syncthreads();

    for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
        const unsigned left = 2 * distance * thread;
        if (left < blockDim.x) {
            partial[left] += partial[left + distance];
        }
        __syncthreads();
    }

    if (thread == 0) {
        output[blockIdx.x] = partial[0];
    }
}
