/*
[kernel]
title   = "Histogram in global memory"
subject = "Atomics and contention"
lesson  = "Every value costs one atomic addition to one of 256 counters that the entire grid shares."
views   = ["atomics", "sectors", "source"]

[parameters]
n     = { default = 65536, min = 256, max = 4194304, step = 256, help = "values to count" }
seed  = { default = "lcg12345", help = "seed of the random values" }
block = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads per block" }

[buffers]
values = { type = "i32", length = "n", fill = "lcg", below = "n", seed = "seed" }
bins   = { type = "i32", length = "256", fill = "zero" }

[launch]
arguments = ["values", "bins", "n"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
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

// A value's bin is its lowest 8 bits. Atomics of lanes that hit the same bin are serialized.
extern "C" __global__ void histogram_global(const int* values, int* bins, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < n) {
        const int bin = values[index] & 255;
        atomicAdd(&bins[bin], 1);
    }
}
