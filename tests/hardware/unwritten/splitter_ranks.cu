/*
[kernel]
title   = "Buckets of a sample sort: each key among 255 splitters in shared memory, and how many a block has of each"

[parameters]
keys = { default = 1351680 }

[buffers]
input = { type = "u32", length = "keys", fill = "random", seed = "1610", below = "1048576" }
splitters = { type = "u32", length = "256", fill = "formula", value = "i * 4096" }
bucket_of = { type = "u32", length = "keys", fill = "zero" }
counts = { type = "u32", length = "(keys // 2560) * 256", fill = "zero" }

[launch]
arguments = ["input", "splitters", "bucket_of", "counts"]
grid  = ["keys // 2560"]
block = ["256"]
*/
extern "C" __global__ void splitter_ranks(const unsigned* __restrict__ input, const unsigned* __restrict__ splitters, unsigned* __restrict__ bucket_of,
                                          unsigned* __restrict__ counts) {
    __shared__ unsigned splitter[256], count[256];
    splitter[threadIdx.x] = splitters[threadIdx.x];
    count[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 10; ++k) {
        const int at = (blockIdx.x * 10 + k) * 256 + threadIdx.x;
        const unsigned key = input[at];
        unsigned low = 0;
        for (unsigned step = 128; step > 0; step /= 2)
            if (splitter[low + step] <= key) low += step;
        bucket_of[at] = low;
        atomicAdd(&count[low], 1u);
    }
    __syncthreads();
    counts[blockIdx.x * 256 + threadIdx.x] = count[threadIdx.x];
}
