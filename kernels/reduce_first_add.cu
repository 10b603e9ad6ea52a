/*
[kernel]
title   = "Reduction 4: first addition during load"
subject = "Reduction"
lesson  = "In the previous version half of the threads never add. If each thread adds two elements while loading, half as many blocks are enough."
views   = ["lanes", "tree", "occupancy", "source"]

[parameters]
n     = { default = 65536, min = 1, max = 4194304, help = "elements" }
block = { default = 256, values = [16, 32, 64, 128, 256, 512, 1024], help = "threads per block, a power of two" }

[buffers]
input  = { type = "f32", length = "n", fill = "random", seed = "1" }
output = { type = "f32", length = "ceil_div(n, 2 * block)", fill = "zero" }

[launch]
arguments = ["input", "output", "n"]
grid  = ["ceil_div(n, 2 * block)"]
block = ["block"]
dynamic_shared_bytes = "block * 4"

[golden.output]
tolerance = 1e-5
lua = '''
return function(i)
    local sum = 0.0
    for k = i * 2 * block, min((i + 1) * 2 * block, n) - 1 do
        sum = sum + input[k]
    end
    return sum
end
'''
*/

// Each block sums twice as many elements as it has threads. The rest is the same as in reduce_sequential.
extern "C" __global__ void reduce_first_add(const float* input, float* output, int n) {
    extern __shared__ float partial[];

    const int thread = threadIdx.x;
    const int index = blockIdx.x * (2 * blockDim.x) + thread;
    const int second = index + blockDim.x;
    float sum = index < n ? input[index] : 0.0f;
    if (second < n) {
        sum += input[second];
    }
    partial[thread] = sum;
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
