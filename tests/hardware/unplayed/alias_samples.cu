/*
[kernel]
title   = "Draws from a discrete distribution by an alias table: each thread draws 16 times and keeps the largest value"

[parameters]
threads = { default = 100003 }

[buffers]
share = { type = "f32", length = "1024", fill = "random", seed = "1531" }
alias = { type = "u32", length = "1024", fill = "random", seed = "1532", below = "1024" }
weights = { type = "f32", length = "1024", fill = "random", seed = "1533" }
best = { type = "f32", length = "threads", fill = "zero" }

[launch]
arguments = ["share", "alias", "weights", "best", "threads"]
grid  = ["ceil_div(threads, 256)"]
block = ["256"]
*/
extern "C" __global__ void alias_samples(const float* __restrict__ share, const unsigned* __restrict__ alias,
                                         const float* __restrict__ weights, float* __restrict__ best, int threads) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= threads) return;
    unsigned state = i * 747796405u + 2891336453u;
    float most = 0;
    for (int draw = 0; draw < 16; ++draw) {
        state = state * 747796405u + 2891336453u;
        unsigned word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
        word ^= word >> 22;
        unsigned at = word >> 22;
        if ((word & 0xffffu) / 65536.0f > share[at]) at = alias[at];
        most = fmaxf(most, weights[at]);
    }
    best[i] = most;
}
