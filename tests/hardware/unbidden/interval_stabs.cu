/*
[kernel]
title   = "How many of sorted values lie within each interval, by two binary searches"

[parameters]
intervals = { default = 168960 }
values = { default = 20000 }

[buffers]
sorted = { type = "u32", length = "values", fill = "formula", value = "i * 13 + (i * 2654435761 // 65536) % 13" }
low = { type = "u32", length = "intervals", fill = "random", seed = "1841", below = "260000" }
width = { type = "u32", length = "intervals", fill = "random", seed = "1842", below = "9000" }
inside = { type = "u32", length = "intervals", fill = "zero" }

[launch]
arguments = ["sorted", "low", "width", "inside", "values", "intervals"]
grid  = ["ceil_div(intervals, 128)"]
block = ["128"]
*/
__device__ int first_not_below(const unsigned* sorted, int values, unsigned key) {
    int from = 0, to = values;
    while (from < to) {
        const int middle = (from + to) / 2;
        if (sorted[middle] < key) from = middle + 1;
        else to = middle;
    }
    return from;
}
extern "C" __global__ void interval_stabs(const unsigned* sorted, const unsigned* low, const unsigned* width,
                                          unsigned* inside, int values, int intervals) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= intervals) return;
    const unsigned from = low[i], to = from + width[i];
    inside[i] = first_not_below(sorted, values, to) - first_not_below(sorted, values, from);
}
