/*
[kernel]
title   = "The four largest of each row of 256 and their softmax: one warp per row, values in registers"

[parameters]
rows = { default = 16896 }

[buffers]
scores = { type = "f32", length = "rows * 256", fill = "random", seed = "1141" }
best = { type = "u32", length = "rows * 4", fill = "zero" }
weights = { type = "f32", length = "rows * 4", fill = "zero" }

[launch]
arguments = ["scores", "best", "weights", "rows"]
grid  = ["ceil_div(rows, 8)"]
block = ["256"]
*/
extern "C" __global__ void softmax_topk(const float* __restrict__ scores, unsigned* __restrict__ best,
                                        float* __restrict__ weights, int rows) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float mine[8];
    for (int k = 0; k < 8; ++k) mine[k] = scores[row * 256 + k * 32 + lane];
    float first = 0.0f, sum = 0.0f, kept = 0.0f;
    for (int pick = 0; pick < 4; ++pick) {
        float most = -1e30f;
        int which = 0;
        for (int k = 0; k < 8; ++k)
            if (mine[k] > most) {
                most = mine[k];
                which = k * 32 + lane;
            }
        for (int by = 16; by > 0; by /= 2) {
            const float other = __shfl_xor_sync(0xffffffffu, most, by);
            const int theirs = __shfl_xor_sync(0xffffffffu, which, by);
            if (other > most || (other == most && theirs < which)) {
                most = other;
                which = theirs;
            }
        }
        if (which % 32 == lane)
            for (int k = 0; k < 8; ++k)
                if (k == which / 32) mine[k] = -1e30f;
        if (pick == 0) first = most;
        const float share = __expf(most - first);
        sum += share;
        if (lane == pick) {
            best[row * 4 + pick] = which;
            kept = share;
        }
    }
    if (lane < 4) weights[row * 4 + lane] = kept / sum;
}
