/*
[kernel]
title   = "Markov chains: one per thread, with a generator of its own; steps are accepted or rejected"

[parameters]
chains = { default = 135168 }
steps = { default = 64 }

[buffers]
seeds = { type = "u32", length = "chains", fill = "random", seed = "1041", below = "2000000000" }
means = { type = "f32", length = "chains", fill = "zero" }
accepted = { type = "u16", length = "chains", fill = "zero" }

[launch]
arguments = ["seeds", "means", "accepted", "steps", "chains"]
grid  = ["ceil_div(chains, 256)"]
block = ["256"]
*/
extern "C" __global__ void metropolis_chains(const unsigned* __restrict__ seeds, float* __restrict__ means,
                                             unsigned short* __restrict__ accepted, int steps, int chains) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= chains) return;
    unsigned state = seeds[i], taken = 0;
    float x = 0.0f, energy = 1.0f, sum = 0.0f;
    for (int step = 0; step < steps; ++step) {
        state = state * 1664525u + 1013904223u;
        const float tried = x + ((state >> 8) * 5.9604645e-8f - 0.5f) * 2.0f;
        const float well = tried * tried - 1.0f, cost = well * well;
        state = state * 1664525u + 1013904223u;
        if (cost < energy || (state >> 8) * 5.9604645e-8f < __expf(3.0f * (energy - cost))) {
            x = tried;
            energy = cost;
            ++taken;
        }
        sum += x;
    }
    means[i] = sum / steps;
    accepted[i] = (unsigned short)taken;
}
