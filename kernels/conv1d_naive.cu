/*
[kernel]
title   = "Running mean of 3 elements from global memory"
subject = "Tiling and reuse"
lesson  = "Each element is loaded three times, once for each result that uses it: 384 loads per block of 128 threads."
views   = ["sectors", "source", "lanes"]

[parameters]
n     = { default = 65536, min = 1, max = 4194304, help = "results" }
block = { default = 128, values = [32, 64, 128, 256, 512, 1024], help = "threads per block" }

[buffers]
input  = { type = "f32", length = "n + 2", fill = "iota" }
output = { type = "f32", length = "n", fill = "zero" }

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

// Result i is the mean of elements i, i + 1 and i + 2. Two of a warp's three loads start off a sector
// boundary.
extern "C" __global__ void conv1d_naive(const float* input, float* output, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= n) return;

    float sum = 0.0f;
    for (int k = 0; k < 3; ++k) {
        sum += input[index + k];
    }
    output[index] = sum / 3.0f;
}
