/*
[kernel]
title   = "American options on a binomial tree of 3072 steps in shared memory, one block each"

[parameters]
options = { default = 4 }
steps = { default = 3072 }

[buffers]
strikes = { type = "f32", length = "options", fill = "random", seed = "126" }
prices = { type = "f32", length = "options", fill = "zero" }

[launch]
arguments = ["strikes", "prices", "steps"]
grid  = ["options"]
block = ["512"]
*/
extern "C" __global__ void option_tree(const float* strikes, float* prices, int steps) {
    __shared__ float values[3073];
    const float strike = 80.0f + 40.0f * strikes[blockIdx.x];
    const float up = 0.502f * 0.9999f, down = 0.498f * 0.9999f, width = 0.02f;
    for (int i = threadIdx.x; i <= steps; i += blockDim.x)
        values[i] = fmaxf(strike - (100.0f + width * (2 * i - steps)), 0.0f);
    __syncthreads();
    for (int step = steps - 1; step >= 0; --step) {
        for (int first = 0; first <= step; first += blockDim.x) {
            const int i = first + threadIdx.x;
            float value = 0;
            if (i <= step) {
                value = up * values[i + 1] + down * values[i];
                value = fmaxf(value, strike - (100.0f + width * (2 * i - step)));
            }
            __syncthreads();
            if (i <= step) values[i] = value;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) prices[blockIdx.x] = values[0];
}
