/*
[kernel]
title   = "Scan by doubling distances"
subject = "Scan"
lesson  = "In log2 n rounds every thread adds the element at twice the previous distance: short and without bank conflicts, but n log n additions."
views   = ["banks", "tree", "lanes", "timeline"]

[parameters]
n     = { default = 16384, min = 1, max = 4194304, help = "elements; each block scans its own" }
block = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads per block, one element each" }

[buffers]
input  = { type = "i32", length = "n", fill = "random", below = "100", seed = "1" }
output = { type = "i32", length = "n", fill = "zero" }

[launch]
arguments = ["input", "output", "n"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "2 * block * 4"

[golden.output]
lua = '''
local sums, sum = {}, 0
for k = 0, n - 1 do
    if k % block == 0 then sum = 0 end
    sum = sum + input[k]
    sums[k] = sum
end
return function(i)
    return sums[i]
end
'''
*/

// Two copies of the block's numbers alternate, so that no thread overwrites what another still reads. After
// the round with distance d, each number is the sum of the 2 d numbers that end with it.
extern "C" __global__ void scan_hillis_steele(const int* input, int* output, int n) {
    extern __shared__ int copies[];
    const int size = blockDim.x, thread = threadIdx.x;
    const int index = blockIdx.x * size + thread;

    int from = 0, to = size;
    copies[thread] = index < n ? input[index] : 0;
    __syncthreads();
    for (int distance = 1; distance < size; distance *= 2) {
        int sum = copies[from + thread];
        if (thread >= distance) {
            sum += copies[from + thread - distance];
        }
        copies[to + thread] = sum;
        __syncthreads();
        const int other = from;
        from = to;
        to = other;
    }
    if (index < n) {
        output[index] = copies[from + thread];
    }
}
