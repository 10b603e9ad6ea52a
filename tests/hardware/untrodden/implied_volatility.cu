/*
[kernel]
title   = "The volatility that an option's price implies, by Newton's steps until they are small; a thread for each option"

[parameters]
options = { default = 67584 }

[buffers]
price = { type = "f32", length = "options", fill = "formula", seed = "2671", value = "6 + 12 * random()" }
strike = { type = "f32", length = "options", fill = "formula", seed = "2672", value = "95 + 20 * random()" }
years = { type = "f32", length = "options", fill = "formula", seed = "2673", value = "0.3 + 1.5 * random()" }
out = { type = "f32", length = "options", fill = "zero" }

[launch]
arguments = ["price", "strike", "years", "out"]
grid  = ["options // 128"]
block = ["128"]
*/
extern "C" __global__ void implied_volatility(const float* __restrict__ price, const float* __restrict__ strike, const float* __restrict__ years, float* __restrict__ out) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    const float spot = 100, rate = 0.02f, k = strike[i], t = years[i], wanted = price[i];
    const float root = sqrtf(t), today = k * __expf(-rate * t), ahead = logf(spot / k) + rate * t;
    float sigma = 0.4f;
    for (int step = 0; step < 40; ++step) {
        const float spread = sigma * root, up = ahead / spread + 0.5f * spread, down = up - spread;
        const float value = spot * normcdff(up) - today * normcdff(down);
        const float vega = spot * root * 0.39894228f * __expf(-0.5f * up * up);
        const float change = (value - wanted) / fmaxf(vega, 1e-3f);
        sigma = fminf(fmaxf(sigma - change, 0.01f), 3.0f);
        if (fabsf(change) < 1e-4f) break;
    }
    out[i] = sigma;
}
