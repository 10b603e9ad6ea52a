/*
[kernel]
title   = "Non-local means of a picture: a window of 7 x 7, weighed by distance and by the difference of 3 x 3 neighbourhoods, with borders clamped"

[parameters]
W = { default = 320 }
H = { default = 264 }

[buffers]
picture = { type = "f32", length = "W * H", fill = "random", seed = "1331" }
smooth = { type = "f32", length = "W * H", fill = "zero" }

[launch]
arguments = ["picture", "smooth", "W", "H", "1.45", "0.2"]
grid  = ["ceil_div(W, 8)", "ceil_div(H, 8)"]
block = ["8", "8"]
*/
__device__ float at(const float* picture, int x, int y, int w, int h) {
    x = min(max(x, 0), w - 1);
    y = min(max(y, 0), h - 1);
    return picture[y * w + x];
}
extern "C" __global__ void nlm_denoise(const float* __restrict__ picture, float* __restrict__ smooth, int w, int h,
                                       float noise, float mix) {
    const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= w || y >= h) return;
    float sum = 0.0f, weights = 0.0f;
    int alike = 0;
    for (int i = -3; i <= 3; ++i)
        for (int j = -3; j <= 3; ++j) {
            float differ = 0.0f;
            for (int n = -1; n <= 1; ++n)
                for (int m = -1; m <= 1; ++m) {
                    const float by = at(picture, x + j + m, y + i + n, w, h) - at(picture, x + m, y + n, w, h);
                    differ += by * by;
                }
            const float weight = __expf(-(differ * noise + (i * i + j * j) * 0.02f));
            if (weight > 0.1f) ++alike;
            sum += weight * at(picture, x + j, y + i, w, h);
            weights += weight;
        }
    const float mean = sum / weights, own = picture[y * w + x];
    const float quota = alike > 9 ? mix : 1.0f - mix;
    smooth[y * w + x] = mean + (own - mean) * quota;
}
