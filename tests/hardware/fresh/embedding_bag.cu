/*
[kernel]
title   = "Sum of the embeddings of 20 words of a bag: rows of a table, a warp per bag, four columns per lane"

[parameters]
bags = { default = 8448 }
words = { default = 32768 }
per_bag = { default = 20 }

[buffers]
table = { type = "f32", length = "words * 128", fill = "random", seed = "322" }
index = { type = "u32", length = "bags * per_bag", fill = "random", below = "words", seed = "323" }
out = { type = "f32", length = "bags * 128", fill = "zero" }

[launch]
arguments = ["table", "index", "out", "per_bag"]
grid  = ["bags // 4"]
block = ["32", "4"]
*/
extern "C" __global__ void embedding_bag(const float4* __restrict__ table, const unsigned* __restrict__ index,
                                         float4* __restrict__ out, int per_bag) {
    const int bag = blockIdx.x * 4 + threadIdx.y;
    float4 sum = make_float4(0, 0, 0, 0);
    for (int i = 0; i < per_bag; ++i) {
        const float4 row = table[index[bag * per_bag + i] * 32 + threadIdx.x];
        sum.x += row.x, sum.y += row.y, sum.z += row.z, sum.w += row.w;
    }
    out[bag * 32 + threadIdx.x] = sum;
}
