/*
[kernel]
title   = "Every place of a pattern in a text: letter by letter until one differs, hits counted per block"

[parameters]
n = { default = 1081344 }

[buffers]
text = { type = "u8", length = "n + 64", fill = "random", seed = "602", below = "3" }
pattern = { type = "u8", length = "24", fill = "random", seed = "603", below = "3" }
longest = { type = "i32", length = "n // 512", fill = "zero" }

[launch]
arguments = ["text", "pattern", "longest", "24"]
grid  = ["n // 512"]
block = ["512"]
*/
extern "C" __global__ void string_search(const unsigned char* __restrict__ text, const unsigned char* __restrict__ pattern,
                                         int* longest, int length) {
    __shared__ unsigned char letters[32];
    __shared__ int best;
    if (threadIdx.x < length) letters[threadIdx.x] = pattern[threadIdx.x];
    if (threadIdx.x == 0) best = 0;
    __syncthreads();
    const unsigned char* at = text + blockIdx.x * 512 + threadIdx.x;
    int same = 0;
    while (same < length && at[same] == letters[same]) ++same;
    if (same > 4) atomicMax(&best, same);
    __syncthreads();
    if (threadIdx.x == 0) longest[blockIdx.x] = best;
}
