/*
[kernel]
title   = "How alike two images are: means, variances and covariance of windows of 7 x 7 around each pixel, and their sum for each block"

[parameters]
width = { default = 512 }
height = { default = 384 }

[buffers]
one = { type = "f32", length = "(width + 6) * (height + 6)", fill = "random", seed = "1503" }
other = { type = "f32", length = "(width + 6) * (height + 6)", fill = "random", seed = "1504" }
sums = { type = "f32", length = "(width // 32) * (height // 8)", fill = "zero" }

[launch]
arguments = ["one", "other", "sums", "width"]
grid  = ["width // 32", "height // 8"]
block = ["32", "8"]
*/
extern "C" __global__ void ssim_windows(const float* __restrict__ one, const float* __restrict__ other, float* __restrict__ sums,
                                        int width) {
    __shared__ float x[14][38], y[14][38];
    __shared__ float parts[8];
    const int tx = threadIdx.x, ty = threadIdx.y, stride = width + 6;
    const int from = blockIdx.y * 8 * stride + blockIdx.x * 32;
    for (int i = ty * 32 + tx; i < 14 * 38; i += 256) {
        const int place = from + i / 38 * stride + i % 38;
        x[i / 38][i % 38] = one[place];
        y[i / 38][i % 38] = other[place];
    }
    __syncthreads();
    float sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
#pragma unroll
    for (int j = 0; j < 7; ++j)
#pragma unroll
        for (int i = 0; i < 7; ++i) {
            const float a = x[ty + j][tx + i], b = y[ty + j][tx + i];
            sx += a;
            sy += b;
            sxx += a * a;
            syy += b * b;
            sxy += a * b;
        }
    const float n = 1.0f / 49, mx = sx * n, my = sy * n;
    const float vx = sxx * n - mx * mx, vy = syy * n - my * my, cov = sxy * n - mx * my;
    float value = (2 * mx * my + 1e-4f) * (2 * cov + 9e-4f) / ((mx * mx + my * my + 1e-4f) * (vx + vy + 9e-4f));
    for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
    if (tx == 0) parts[ty] = value;
    __syncthreads();
    if (ty == 0 && tx == 0) {
        float sum = 0;
        for (int i = 0; i < 8; ++i) sum += parts[i];
        sums[blockIdx.y * gridDim.x + blockIdx.x] = sum;
    }
}
