/*
[kernel]
title   = "Asian option by Monte Carlo: 64 steps per path, xorwow numbers, Box-Muller, the mean payoff by shuffles and one atomic per warp"

[parameters]
paths = { default = 270336 }

[buffers]
seeds = { type = "u32", length = "paths", fill = "random", seed = "404", below = "4294967295" }
sum = { type = "f32", length = "1", fill = "zero" }

[launch]
arguments = ["seeds", "sum", "f32=0.0004", "f32=0.025", "f32=100"]
grid  = ["paths // 128"]
block = ["128"]
*/
extern "C" __global__ void asian_option(const unsigned* __restrict__ seeds, float* __restrict__ sum, float drift,
                                        float sigma, float strike) {
    const unsigned at = blockIdx.x * 128 + threadIdx.x;
    unsigned x = seeds[at], y = x ^ 362436069u, z = x * 521288629u, w = ~x, v = 5783321u, d = x + 6615241u;
    const auto next = [&] {
        const unsigned t = x ^ (x >> 2);
        x = y, y = z, z = w, w = v;
        v = v ^ (v << 4) ^ t ^ (t << 1);
        d += 362437u;
        return (d + v) * 2.3283064e-10f + 1.1641532e-10f;
    };
    float price = 100, total = 0;
    for (int step = 0; step < 32; ++step) {
        const float radius = sqrtf(-2 * __logf(next()));
        float sine, cosine;
        __sincosf(6.2831853f * next(), &sine, &cosine);
        price *= __expf(drift + sigma * radius * cosine);
        total += price;
        price *= __expf(drift + sigma * radius * sine);
        total += price;
    }
    float payoff = fmaxf(total / 64 - strike, 0.0f);
    for (int distance = 16; distance > 0; distance /= 2) payoff += __shfl_down_sync(0xffffffffu, payoff, distance);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, payoff);
}
