/*
[kernel]
title   = "Option prices: logarithms, exponentials, divisions"

[parameters]
n = { default = 1048576 }

[buffers]
spot = { type = "f32", length = "n", fill = "random", seed = "20" }
strike = { type = "f32", length = "n", fill = "random", seed = "21" }
years = { type = "f32", length = "n", fill = "random", seed = "22" }
call = { type = "f32", length = "n", fill = "zero" }
put = { type = "f32", length = "n", fill = "zero" }

[launch]
arguments = ["spot", "strike", "years", "call", "put", "n"]
grid  = ["ceil_div(n, 256)"]
block = ["256"]
*/
__device__ float normal(float d) { return 0.5f * erfcf(-d * 0.70710678f); }

extern "C" __global__ void black_scholes(const float* spot, const float* strike, const float* years,
                                         float* call, float* put, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float s = spot[i] * 25 + 5, x = strike[i] * 99 + 1, t = years[i] * 9.75f + 0.25f, rate = 0.02f,
                sigma = 0.3f;
    const float root = sqrtf(t), d1 = (logf(s / x) + (rate + 0.5f * sigma * sigma) * t) / (sigma * root);
    const float d2 = d1 - sigma * root, discount = expf(-rate * t);
    const float n1 = normal(d1), n2 = normal(d2);
    call[i] = s * n1 - x * discount * n2;
    put[i] = x * discount * (1 - n2) - s * (1 - n1);
}
