/*
[kernel]
title   = "Running mean of 3 elements from shared memory"
subject = "Tiling and reuse"
lesson  = "A block of 128 threads loads its 128 elements and a halo of 2 once: 130 loads instead of 384."
views   = ["sectors", "banks", "lanes"]

[parameters]
n     = { default = 65536, min = 1024, max = 4194304, step = 1024, help = "results" }
block = { default = 128, values = [32, 64, 128, 256, 512, 1024], macro = true, help = "threads per block" }

[buffers]
input  = { type = "f32", length = "ceil_div(n, block) * block + 2", fill = "iota" }
output = { type = "f32", length = "ceil_div(n, block) * block", fill = "zero" }

[launch]
arguments = ["input", "output", "n"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.output]
tolerance = 1e-6
lua = '''
return function(i)
    return (input[i] + input[i + 1] + input[i + 2]) / 3
end
'''
*/
#ifndef block
#define block 128  // a constant, because it sizes the shared array
#endif

// The block's elements and the halo of 2 that its last results need are staged in shared memory. Only the
// first two threads load the halo: a request with 2 active lanes. The arrays are as long as the grid, so no
// bounds check is needed.
extern "C" __global__ void conv1d_shared(const float* input, float* output, int n) {
    __shared__ float window[block + 2];

    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    window[threadIdx.x] = input[index];
    if (threadIdx.x < 2) {
        window[block + threadIdx.x] = input[index + block];
    }
    __syncthreads();

    float sum = 0.0f;
    for (int k = 0; k < 3; ++k) {
        sum += window[threadIdx.x + k];
    }
    output[index] = sum / 3.0f;
}
