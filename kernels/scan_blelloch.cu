/*
[kernel]
title   = "Work-efficient scan: up and down a tree"
subject = "Scan"
lesson  = "Up-sweep and down-sweep take only 2 n additions, but strides of 2, 4, 8, ... cause bank conflicts. One unused word after every 32 removes most of them."
views   = ["banks", "tree", "lanes", "timeline"]

[parameters]
n     = { default = 16384, min = 1, max = 4194304, help = "elements; each block scans its own" }
block = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads per block, two elements each" }
PAD   = { default = 0, values = [0, 1], macro = true, help = "unused words after every 32" }

[buffers]
input  = { type = "i32", length = "n", fill = "random", below = "100", seed = "1" }
output = { type = "i32", length = "n", fill = "zero" }

[launch]
arguments = ["input", "output", "n"]
grid  = ["ceil_div(n, 2 * block)"]
block = ["block"]
dynamic_shared_bytes = "(2 * block + PAD * (2 * block // 32)) * 4"

[golden.output]
lua = '''
local sums, sum = {}, 0
for k = 0, n - 1 do
    if k % (2 * block) == 0 then sum = 0 end
    sums[k] = sum
    sum = sum + input[k]
end
return function(i)
    return sums[i]
end
'''
*/
#ifndef PAD
#define PAD 0
#endif

__device__ int place_of(int i) { return i + PAD * (i / 32); }

// Up-sweep: the last element of every pair, every four, every eight, ... becomes their sum. Then the total is
// replaced by zero. Down-sweep: the left half of every pair gets the pair's prefix, the right half gets
// prefix plus left half. The result for each element is the sum of all elements before it.
extern "C" __global__ void scan_blelloch(const int* input, int* output, int n) {
    extern __shared__ int tree[];
    const int thread = threadIdx.x, size = 2 * blockDim.x;
    const int first = blockIdx.x * size;
    for (int i = thread; i < size; i += blockDim.x) {
        tree[place_of(i)] = first + i < n ? input[first + i] : 0;
    }

    int distance = 1;
    for (int pairs = blockDim.x; pairs > 0; pairs /= 2) {
        __syncthreads();
        if (thread < pairs) {
            const int left = distance * (2 * thread + 1) - 1, right = left + distance;
            tree[place_of(right)] += tree[place_of(left)];
        }
        distance *= 2;
    }

    if (thread == 0) {
        tree[place_of(size - 1)] = 0;
    }
    for (int pairs = 1; pairs < size; pairs *= 2) {
        distance /= 2;
        __syncthreads();
        if (thread < pairs) {
            const int left = distance * (2 * thread + 1) - 1, right = left + distance;
            const int before = tree[place_of(right)];
            tree[place_of(right)] = before + tree[place_of(left)];
            tree[place_of(left)] = before;
        }
    }
    __syncthreads();
    for (int i = thread; i < size; i += blockDim.x) {
        if (first + i < n) {
            output[first + i] = tree[place_of(i)];
        }
    }
}
