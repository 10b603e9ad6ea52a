/*
[kernel]
title   = "Yields of bonds by steps of Newton until the price fits: a bond per thread, 4 to 60 payments each"

[parameters]
bonds = { default = 67584 }

[buffers]
payments = { type = "u32", length = "bonds", fill = "formula", value = "4 + random(57)", seed = "1010" }
coupons = { type = "f32", length = "bonds", fill = "random", seed = "1011" }
prices = { type = "f32", length = "bonds", fill = "random", seed = "1012" }
yields = { type = "f32", length = "bonds", fill = "zero" }

[launch]
arguments = ["payments", "coupons", "prices", "yields"]
grid  = ["bonds // 256"]
block = ["256"]
*/
extern "C" __global__ void bond_newton(const unsigned* __restrict__ payments, const float* __restrict__ coupons,
                                       const float* __restrict__ prices, float* __restrict__ yields) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    const int n = payments[i];
    const float coupon = 0.01f + 0.04f * coupons[i], price = 0.8f + 0.4f * prices[i];
    float rate = coupon;
    for (int round = 0; round < 12; ++round) {
        const float discount = 1 / (1 + rate);
        float factor = 1, value = 0, slope = 0;
        for (int k = 1; k <= n; ++k) {
            factor *= discount;
            value += factor;
            slope += k * factor;
        }
        const float off = coupon * value + factor - price;
        const float step = off / (discount * (coupon * slope + n * factor));
        rate += step;
        if (fabsf(step) < 1e-6f) break;
    }
    yields[i] = rate;
}
