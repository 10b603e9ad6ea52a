/*
[kernel]
title   = "Histogram with a private copy per block"
subject = "Atomics and contention"
lesson  = "Each block counts in shared memory and adds its 256 counters to the global ones once, with coalesced atomics."
views   = ["atomics", "banks", "lanes"]

[parameters]
n    = { default = 65536, min = 256, max = 4194304, step = 256, help = "values to count" }
seed = { default = "lcg12345", help = "seed of the random values" }

[buffers]
values = { type = "i32", length = "n", fill = "lcg", below = "n", seed = "seed" }
bins   = { type = "i32", length = "256", fill = "zero" }

[launch]
arguments = ["values", "bins", "n"]
grid  = ["ceil_div(n, 256)"]
block = ["256"]
dynamic_shared_bytes = "0"

[golden.bins]
lua = '''
local count = {}
for k = 0, n - 1 do
    local bin = values[k] % 256
    count[bin] = (count[bin] or 0) + 1
end
return function(i)
    return count[i] or 0
end
'''
*/

// A block has as many threads as there are bins, so that thread k initializes bin k at the start and adds it
// to global memory at the end.
extern "C" __global__ void histogram_shared(const int* values, int* bins, int n) {
    __shared__ int own[256];
    own[threadIdx.x] = 0;
    __syncthreads();

    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < n) {
        const int bin = values[index] & 255;
        atomicAdd(&own[bin], 1);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
