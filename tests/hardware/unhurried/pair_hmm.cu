/*
[kernel]
title   = "Likelihood that a read comes from a haplotype: rows of a hidden Markov model, a lane for each base of the read, shuffled along diagonals"

[parameters]
pairs = { default = 2112 }

[buffers]
reads = { type = "u8", length = "pairs * 32", fill = "random", seed = "1827", below = "4" }
haplotypes = { type = "u8", length = "pairs * 96", fill = "random", seed = "1828", below = "4" }
quality = { type = "f32", length = "pairs * 32", fill = "random", seed = "1829" }
likelihood = { type = "f32", length = "pairs", fill = "zero" }

[launch]
arguments = ["reads", "haplotypes", "quality", "likelihood"]
grid  = ["pairs // 4"]
block = ["128"]
*/
extern "C" __global__ void pair_hmm(const unsigned char* __restrict__ reads, const unsigned char* __restrict__ haplotypes, const float* __restrict__ quality,
                                    float* __restrict__ likelihood) {
    __shared__ unsigned char bases[4][96];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, pair = blockIdx.x * 4 + warp;
    for (int i = lane; i < 96; i += 32) bases[warp][i] = haplotypes[pair * 96 + i];
    __syncwarp();
    const int base = reads[pair * 32 + lane];
    const float wrong = 0.01f + 0.1f * quality[pair * 32 + lane];
    float match = 0, insert = 0, gap = 0, match_before = 0, insert_before = 0, gap_before = 0, sum = 0;
    for (int step = 0; step < 96 + 31; ++step) {
        float m = __shfl_up_sync(0xffffffffu, match, 1), i = __shfl_up_sync(0xffffffffu, insert, 1), d = __shfl_up_sync(0xffffffffu, gap, 1);
        if (lane == 0) {
            m = 0;
            i = 0;
            d = 1.0f / 96;
        }
        const int column = step - lane;
        if (column >= 0 && column < 96) {
            const float prior = bases[warp][column] == base ? 1.0f - wrong : wrong / 3;
            const float new_match = prior * (0.9f * match_before + 0.8f * (insert_before + gap_before));
            const float new_insert = 0.05f * m + 0.2f * i;
            gap = 0.05f * match + 0.2f * gap;
            match = new_match;
            insert = new_insert;
            if (lane == 31) sum += match + insert;
        }
        match_before = m;
        insert_before = i;
        gap_before = d;
    }
    if (lane == 31) likelihood[pair] = log10f(sum);
}
