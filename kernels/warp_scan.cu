/*
[kernel]
title   = "Warp prefix sum with shuffles"
subject = "Warp collectives"
lesson  = "Five shuffles compute 32 prefix sums: after the step with distance d, each lane holds the sum of the 2 d lanes that end with it."
views   = ["exchange", "tree", "lanes", "source"]

[parameters]
n     = { default = 8192, min = 1, max = 4194304, help = "elements" }
block = { default = 128, values = [32, 64, 128, 256, 512, 1024], help = "threads per block" }
WIDTH = { default = 32, values = [8, 16, 32], macro = true, help = "lanes per group" }

[buffers]
input  = { type = "i32", length = "n", fill = "random", below = "100", seed = "1" }
output = { type = "i32", length = "n", fill = "zero" }

[launch]
arguments = ["input", "output", "n"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.output]
lua = '''
return function(i)
    local sum = 0
    for k = i - i % WIDTH, i do
        sum = sum + input[k]
    end
    return sum
end
'''
*/
#ifndef WIDTH
#define WIDTH 32
#endif

// A lane adds the value of the lane `distance` below it if that lane is in its group of WIDTH lanes. A lane
// whose source is outside its group gets its own value back and must not add it.
extern "C" __global__ void warp_scan(const int* input, int* output, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    const int place = threadIdx.x % WIDTH;
    int sum = index < n ? input[index] : 0;
    for (int distance = 1; distance < WIDTH; distance <<= 1) {
        const int below = __shfl_up_sync(0xffffffff, sum, distance, WIDTH);
        if (place >= distance) {
            sum += below;
        }
    }
    if (index < n) {
        output[index] = sum;
    }
}
