/*
[kernel]
title   = "New keys and values into a paged cache: a block per token, 8 heads of 128, at the slot that a table names"

[parameters]
tokens = { default = 2112 }

[buffers]
key = { type = "f16", length = "tokens * 1024", fill = "constant", value = "0.5" }
value = { type = "f16", length = "tokens * 1024", fill = "constant", value = "0.25" }
key_cache = { type = "f16", length = "4224 * 1024", fill = "zero" }
value_cache = { type = "f16", length = "4224 * 1024", fill = "zero" }
slots = { type = "i32", length = "tokens", fill = "formula", value = "(i * 1237) % 4224" }

[launch]
arguments = ["key", "value", "key_cache", "value_cache", "slots"]
grid  = ["tokens"]
block = ["256"]
*/
#include <cuda_fp16.h>
extern "C" __global__ void cache_slots(const __half* __restrict__ key, const __half* __restrict__ value,
                                       __half* __restrict__ key_cache, __half* __restrict__ value_cache,
                                       const int* __restrict__ slots) {
    const int token = blockIdx.x, slot = slots[token], page = slot / 16, offset = slot % 16;
    if (slot < 0) return;
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
        const int head = i / 128, place = i % 128, group = place / 8, inner = place % 8;
        // Keys lie in groups of 8 of one token beside those of the others of the page, values by place.
        key_cache[((page * 8 + head) * 16 + group) * 128 + offset * 8 + inner] = key[token * 1024 + i];
        value_cache[((page * 8 + head) * 128 + place) * 16 + offset] = value[token * 1024 + i];
    }
}
