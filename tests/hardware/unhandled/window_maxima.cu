/*
[kernel]
title   = "Maxima of windows of 32 by running maxima from both ends of each tile (van Herk), in shared memory"

[parameters]
n = { default = 270336 }

[buffers]
in = { type = "f32", length = "n + 32", fill = "random", seed = "1741" }
out = { type = "f32", length = "n", fill = "zero" }

[launch]
arguments = ["in", "out", "n"]
grid  = ["n / 256"]
block = ["256"]
*/
extern "C" __global__ void window_maxima(const float* __restrict__ in, float* __restrict__ out, int n) {
    __shared__ float ahead[288], behind[288];
    const int t = threadIdx.x, first = blockIdx.x * 256;
    ahead[t] = behind[t] = in[first + t];
    if (t < 32) ahead[256 + t] = behind[256 + t] = in[first + 256 + t];
    __syncthreads();
    for (int step = 1; step < 32; step <<= 1) {
        float a = ahead[t], b = behind[t];
        if ((t & 31) >= step) a = fmaxf(a, ahead[t - step]);
        if ((t & 31) + step < 32) b = fmaxf(b, behind[t + step]);
        float c = 0.0f;
        if (t < 32) {
            c = ahead[256 + t];
            if (t >= step) c = fmaxf(c, ahead[256 + t - step]);
        }
        __syncthreads();
        ahead[t] = a;
        behind[t] = b;
        if (t < 32) ahead[256 + t] = c;
        __syncthreads();
    }
    out[first + t] = (t & 31) == 0 ? behind[t] : fmaxf(behind[t], ahead[t + 31]);
}
