/*
[kernel]
title   = "A queue with two servers, simulated until it closes: one day per thread"

[parameters]
days = { default = 67584 }
customers = { default = 48 }

[buffers]
seeds = { type = "u32", length = "days", fill = "random", seed = "2621", below = "4294967295" }
waited = { type = "f32", length = "days", fill = "zero" }
longest = { type = "u32", length = "days", fill = "zero" }

[launch]
arguments = ["seeds", "waited", "longest", "days", "customers"]
grid  = ["ceil_div(days, 256)"]
block = ["256"]
*/
__device__ float next_time(unsigned& state) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) * (1.0f / 16777216.0f);
}
extern "C" __global__ void two_servers(const unsigned* __restrict__ seeds, float* __restrict__ waited,
                                       unsigned* __restrict__ longest, int days, int customers) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= days) return;
    unsigned state = seeds[i], most = 0, late = 0;
    float now = 0, first = 0, second = 0, sum = 0;
    for (int customer = 0; customer < customers; ++customer) {
        now += next_time(state);
        if (now > 22.0f) break;
        const float served = 0.4f + 2.0f * next_time(state);
        if (first <= second) {
            if (first > now) sum += first - now, ++late;
            else late = 0;
            first = fmaxf(first, now) + served;
        } else {
            if (second > now) sum += second - now, ++late;
            else late = 0;
            second = fmaxf(second, now) + served;
        }
        most = max(most, late);
    }
    waited[i] = sum;
    longest[i] = most;
}
