/*
[kernel]
title   = "Selective scan of a state-space model: sixteen states per channel in registers, an exponential per state and step"

[parameters]
channels = { default = 1536 }
steps = { default = 96 }
batch = { default = 12 }

[buffers]
u = { type = "f32", length = "batch * steps * channels", fill = "random", seed = "741" }
delta = { type = "f32", length = "batch * steps * channels", fill = "random", seed = "742" }
a = { type = "f32", length = "channels * 16", fill = "formula", value = "-1 - random()", seed = "743" }
b = { type = "f32", length = "batch * steps * 16", fill = "random", seed = "744" }
c = { type = "f32", length = "batch * steps * 16", fill = "random", seed = "745" }
y = { type = "f32", length = "batch * steps * channels", fill = "zero" }

[launch]
arguments = ["u", "delta", "a", "b", "c", "y", "steps", "channels"]
grid  = ["channels // 64", "batch"]
block = ["64"]
*/
extern "C" __global__ void selective_scan(const float* __restrict__ u, const float* __restrict__ delta,
                                          const float* __restrict__ a, const float* __restrict__ b,
                                          const float* __restrict__ c, float* __restrict__ y, int steps, int channels) {
    __shared__ float inputs[16][16], outputs[16][16];
    const int channel = blockIdx.x * 64 + threadIdx.x;
    float rate[16], state[16] = {};
    for (int i = 0; i < 16; ++i) rate[i] = a[channel * 16 + i] * 1.44269504f;
    for (int chunk = 0; chunk < steps; chunk += 16) {
        const int from = (blockIdx.y * steps + chunk) * 16;
        __syncthreads();
        for (int i = threadIdx.x; i < 256; i += 64) {
            inputs[i / 16][i % 16] = b[from + i];
            outputs[i / 16][i % 16] = c[from + i];
        }
        __syncthreads();
        for (int t = 0; t < 16; ++t) {
            const int at = (blockIdx.y * steps + chunk + t) * channels + channel;
            const float raw = delta[at], x = u[at];
            const float step = raw > 20 ? raw : log1pf(__expf(raw));
            float sum = 0;
#pragma unroll
            for (int i = 0; i < 16; ++i) {
                state[i] = exp2f(step * rate[i]) * state[i] + step * x * inputs[t][i];
                sum += state[i] * outputs[t][i];
            }
            y[at] = sum;
        }
    }
}
