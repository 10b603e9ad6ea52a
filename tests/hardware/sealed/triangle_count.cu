/*
[kernel]
title   = "Triangles of a graph: sorted lists of neighbours merged, one edge per thread, counts added up in shared memory"

[parameters]
vertices = { default = 33792 }
degree = { default = 16, macro = true }

[buffers]
lists = { type = "u32", length = "vertices * degree", fill = "formula", value = "(i % degree) * 2112 + (i * 2654435761 // 65536) % 24 * 88" }
total = { type = "u32", length = "1", fill = "zero" }

[launch]
arguments = ["lists", "total"]
grid  = ["vertices * degree // 256"]
block = ["256"]
*/
extern "C" __global__ void triangle_count(const unsigned* __restrict__ lists, unsigned* __restrict__ total) {
    __shared__ unsigned count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    const unsigned edge = blockIdx.x * 256 + threadIdx.x;
    const unsigned* a = lists + edge / degree * degree;
    const unsigned* b = lists + (size_t)lists[edge] * degree;
    unsigned i = 0, j = 0, found = 0;
    while (i < degree && j < degree) {
        const unsigned x = a[i], y = b[j];
        found += x == y;
        i += x <= y;
        j += y <= x;
    }
    if (found) atomicAdd(&count, found);
    __syncthreads();
    if (threadIdx.x == 0 && count) atomicAdd(total, count);
}
