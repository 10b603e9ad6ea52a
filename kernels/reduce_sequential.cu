/*
[kernel]
title   = "Reduction 3: sequential addressing"
subject = "Reduction"
lesson  = "Halving the distance keeps active threads and their data contiguous: warps finish early, and there are no bank conflicts."
views   = ["lanes", "tree", "banks", "source"]

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

// Begin with the largest distance and halve it: the first half of the threads adds the second half, then the
// first quarter adds the second quarter. With 16 threads, 8, 4, 2 and 1 of them work, packed at the start of
// the block.
extern "C" __global__ void reduce_sequential(const float* input, float* output, int n) {
    extern __shared__ float partial[];

    const int thread = threadIdx.x;
    const int index = blockIdx.x * blockDim.x + thread;
    partial[thread] = index < n ? input[index] : 0.0f;
    __syncthreads();

    for (unsigned distance = blockDim.x / 2; distance > 0; distance >>= 1) {
        if (thread < distance) {
            partial[thread] += partial[thread + distance];
        }
        __syncthreads();
    }

    if (thread == 0) {
        output[blockIdx.x] = partial[0];
    }
}
