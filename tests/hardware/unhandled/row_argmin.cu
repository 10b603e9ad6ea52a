/*
[kernel]
title   = "The least element of each row of 768 and where it stands: a warp a row, by shuffles"

[parameters]
rows = { default = 8448 }

[buffers]
in = { type = "f32", length = "rows * 768", fill = "random", seed = "1761" }
least = { type = "f32", length = "rows", fill = "zero" }
where = { type = "u32", length = "rows", fill = "zero" }

[launch]
arguments = ["in", "least", "where", "rows"]
grid  = ["ceil_div(rows, 8)"]
block = ["32", "8"]
*/
extern "C" __global__ void row_argmin(const float* __restrict__ in, float* __restrict__ least,
                                      unsigned* __restrict__ where, int rows) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    float best = 3.0e38f;
    unsigned at = 0;
    for (unsigned k = threadIdx.x; k < 768; k += 32) {
        const float value = in[row * 768 + k];
        if (value < best) {
            best = value;
            at = k;
        }
    }
    for (int away = 16; away > 0; away >>= 1) {
        const float other = __shfl_down_sync(0xffffffffu, best, away);
        const unsigned there = __shfl_down_sync(0xffffffffu, at, away);
        if (other < best || (other == best && there < at)) {
            best = other;
            at = there;
        }
    }
    if (threadIdx.x == 0) {
        least[row] = best;
        where[row] = at;
    }
}
