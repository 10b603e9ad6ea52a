/*
[kernel]
title   = "Pairs of genetic markers: tables of nine genotypes by bit planes of cases and controls, counted, and their mutual information"

[parameters]
markers = { default = 256 }
words = { default = 32 }

[buffers]
planes = { type = "u32", length = "markers * words * 4", fill = "random", seed = "2631", below = "4294967295" }
scores = { type = "f32", length = "markers * markers", fill = "zero" }

[launch]
arguments = ["planes", "scores", "markers", "words"]
grid  = ["markers // 16", "markers // 16"]
block = ["16", "16"]
*/
extern "C" __global__ void epistasis_pairs(const uint2* __restrict__ planes, float* __restrict__ scores, int markers, int words) {
    const int one = blockIdx.y * 16 + threadIdx.y, other = blockIdx.x * 16 + threadIdx.x;
    if (one >= other) return;
    float score = 0;
#pragma unroll 1
    for (int group = 0; group < 2; ++group) {
        int counts[9] = {};
        for (int word = 0; word < words; ++word) {
            const uint2 p = planes[(group * words + word) * markers + one], q = planes[(group * words + word) * markers + other];
            const unsigned rows[3] = {p.x, p.y & ~p.x, ~(p.x | p.y)}, columns[3] = {q.x, q.y & ~q.x, ~(q.x | q.y)};
#pragma unroll
            for (int k = 0; k < 9; ++k) counts[k] += __popc(rows[k / 3] & columns[k % 3]);
        }
#pragma unroll
        for (int k = 0; k < 9; ++k) {
            const float share = float(counts[k] + 1) / float(words * 32 + 9);
            score += group == 0 ? share * __logf(share) : -share * __logf(share);
        }
    }
    scores[one * markers + other] = score;
}
