/*
[kernel]
title   = "Outliers of a signal: a sample that is far from the median of its seven neighbours is replaced by it"

[parameters]
n = { default = 400009 }

[buffers]
signal = { type = "f32", length = "n", fill = "random", seed = "1511" }
clean = { type = "f32", length = "n", fill = "zero" }
marks = { type = "u8", length = "n", fill = "zero" }

[launch]
arguments = ["signal", "clean", "marks", "n"]
grid  = ["ceil_div(n, 256)"]
block = ["256"]
*/
extern "C" __global__ void hampel_filter(const float* __restrict__ signal, float* __restrict__ clean,
                                         unsigned char* __restrict__ marks, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 3 || i >= n - 3) return;
    float window[7];
    for (int k = 0; k < 7; ++k) {
        float value = signal[i + k - 3];
        int at = k;
        while (at > 0 && window[at - 1] > value) {
            window[at] = window[at - 1];
            --at;
        }
        window[at] = value;
    }
    const float median = window[3], own = signal[i], spread = window[5] - window[1];
    const bool far = fabsf(own - median) > 0.75f * spread;
    clean[i] = far ? median : own;
    if (far) marks[i] = 1;
}
