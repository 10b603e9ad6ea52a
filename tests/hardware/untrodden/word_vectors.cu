/*
[kernel]
title   = "Vectors of words, skip-gram with five negative samples: a warp for each pair, products of rows of 128, and the changes added to them"

[parameters]
pairs = { default = 4224 }
words = { default = 20000 }

[buffers]
input = { type = "f32", length = "words * 128", fill = "formula", seed = "2711", value = "random() - 0.5" }
output = { type = "f32", length = "words * 128", fill = "formula", seed = "2712", value = "random() - 0.5" }
centres = { type = "i32", length = "pairs", fill = "random", seed = "2713", below = "words" }
targets = { type = "i32", length = "pairs * 6", fill = "random", seed = "2714", below = "words" }

[launch]
arguments = ["input", "output", "centres", "targets"]
grid  = ["pairs // 4"]
block = ["128"]
*/
extern "C" __global__ void word_vectors(float* input, float* output, const int* __restrict__ centres, const int* __restrict__ targets) {
    const int pair = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    float* const centre = input + centres[pair] * 128 + lane;
    const float own[4] = {centre[0], centre[32], centre[64], centre[96]};
    float change[4] = {};
    for (int sample = 0; sample < 6; ++sample) {
        float* const row = output + targets[pair * 6 + sample] * 128 + lane;
        const float other[4] = {row[0], row[32], row[64], row[96]};
        float product = own[0] * other[0] + own[1] * other[1] + own[2] * other[2] + own[3] * other[3];
        for (int step = 16; step > 0; step /= 2) product += __shfl_xor_sync(0xffffffffu, product, step);
        const float wanted = sample == 0 ? 1 : 0, by = 0.025f * (wanted - 1 / (1 + __expf(-product)));
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            change[k] = fmaf(by, other[k], change[k]);
            atomicAdd(row + 32 * k, by * own[k]);
        }
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) atomicAdd(centre + 32 * k, change[k]);
}
