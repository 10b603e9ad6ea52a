/*
[kernel]
title   = "Counts of the columns of a sparse matrix, four entries of each thread, before it is transposed"

[parameters]
blocks = { default = 396 }

[buffers]
columns = { type = "u32", length = "blocks * 1024", fill = "random", seed = "2271", below = "65536" }
counts = { type = "u32", length = "65536", fill = "zero" }

[launch]
arguments = ["columns", "counts"]
grid  = ["blocks"]
block = ["256"]
*/
extern "C" __global__ void column_counts(const uint4* __restrict__ columns, unsigned* __restrict__ counts) {
    const uint4 four = columns[blockIdx.x * 256 + threadIdx.x];
    atomicAdd(&counts[four.x], 1u);
    atomicAdd(&counts[four.y], 1u);
    atomicAdd(&counts[four.z], 1u);
    atomicAdd(&counts[four.w], 1u);
}
