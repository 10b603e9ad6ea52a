/*
[kernel]
title   = "One step of PageRank: each thread adds up the ranks of the pages that link to its own"

[parameters]
pages = { default = 270336 }

[buffers]
first = { type = "u32", length = "pages + 1", fill = "formula", value = "i * 6 + (i * 2654435761 // 65536) % 5" }
source = { type = "u32", length = "pages * 6 + 8", fill = "random", seed = "713", below = "270336" }
share = { type = "f32", length = "pages", fill = "random", seed = "714" }
rank = { type = "f32", length = "pages", fill = "zero" }

[launch]
arguments = ["first", "source", "share", "rank", "pages"]
grid  = ["ceil_div(pages, 256)"]
block = ["256"]
*/
extern "C" __global__ void pagerank_pull(const unsigned* __restrict__ first, const unsigned* __restrict__ source,
                                         const float* __restrict__ share, float* __restrict__ rank, int pages) {
    const int page = blockIdx.x * blockDim.x + threadIdx.x;
    if (page >= pages) return;
    float sum = 0;
    const unsigned end = first[page + 1];
    for (unsigned e = first[page]; e < end; ++e) sum += share[source[e]];
    rank[page] = 0.15f / pages + 0.85f * sum;
}
