/*
[kernel]
title   = "Gradient of an embedding: a warp per token adds its 128 numbers to the row of its word"

[parameters]
tokens = { default = 16896 }

[buffers]
words = { type = "i32", length = "tokens", fill = "random", seed = "1321", below = "8192" }
gradient = { type = "f32", length = "tokens * 128", fill = "random", seed = "1322" }
table = { type = "f32", length = "8192 * 128", fill = "zero" }

[launch]
arguments = ["words", "gradient", "table"]
grid  = ["tokens // 8"]
block = ["32", "8"]
*/
extern "C" __global__ void embedding_gradient(const int* __restrict__ words, const float* __restrict__ gradient,
                                              float* __restrict__ table) {
    const int token = blockIdx.x * 8 + threadIdx.y, word = words[token];
    for (int i = threadIdx.x; i < 128; i += 32) atomicAdd(&table[word * 128 + i], gradient[token * 128 + i]);
}
