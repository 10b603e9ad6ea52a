/*
[kernel]
title   = "Payoffs of an option that ends worthless once its price leaves a corridor, one random path per thread"

[parameters]
paths = { default = 67584 }
steps = { default = 48 }

[buffers]
payoff = { type = "f32", length = "paths", fill = "zero" }
ended = { type = "u32", length = "64", fill = "zero" }

[launch]
arguments = ["payoff", "ended", "paths", "steps"]
grid  = ["ceil_div(paths, 256)"]
block = ["256"]
*/
extern "C" __global__ void knock_out_paths(float* payoff, unsigned* ended, int paths, int steps) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= paths) return;
    unsigned state = i * 747796405u + 2891336453u;
    float price = 100.0f;
    for (int step = 0; step < steps; ++step) {
        float noise = 0.0f;
        for (int k = 0; k < 4; ++k) {
            state = state * 747796405u + 2891336453u;
            noise += (state >> 8) * 5.9604645e-8f;
        }
        price *= 1.0f + 0.05f * (noise - 2.0f);
        if (price > 118.0f || price < 84.0f) {
            atomicAdd(&ended[step & 63], 1u);
            return;
        }
    }
    payoff[i] = fmaxf(price - 98.0f, 0.0f);
}
