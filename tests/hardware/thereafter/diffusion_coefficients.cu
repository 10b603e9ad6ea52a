/*
[kernel]
title   = "Coefficients of speckle-reducing diffusion: four differences of a shared tile with a halo, divisions, five planes written"

[parameters]
width = { default = 512 }
height = { default = 528 }

[buffers]
image = { type = "f32", length = "width * height", fill = "formula", value = "1 + random(1000) / 1000", seed = "1122" }
planes = { type = "f32", length = "width * height * 5", fill = "zero" }

[launch]
arguments = ["image", "planes", "width", "height", "f32=0.05"]
grid  = ["width // 16", "height // 16"]
block = ["16", "16"]
*/
extern "C" __global__ void diffusion_coefficients(const float* __restrict__ image, float* __restrict__ planes, int width,
                                                  int height, float noise) {
    __shared__ float tile[18][18];
    const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty, at = y * width + x;
    tile[ty + 1][tx + 1] = image[at];
    if (ty == 0) tile[0][tx + 1] = image[max(y - 1, 0) * width + x];
    if (ty == 15) tile[17][tx + 1] = image[min(y + 1, height - 1) * width + x];
    if (tx == 0) tile[ty + 1][0] = image[y * width + max(x - 1, 0)];
    if (tx == 15) tile[ty + 1][17] = image[y * width + min(x + 1, width - 1)];
    __syncthreads();
    const float own = tile[ty + 1][tx + 1];
    const float n = tile[ty][tx + 1] - own, s = tile[ty + 2][tx + 1] - own, w = tile[ty + 1][tx] - own, e = tile[ty + 1][tx + 2] - own;
    const float square = (n * n + s * s + w * w + e * e) / (own * own), laplacian = (n + s + w + e) / own;
    const float numerator = 0.5f * square - 0.0625f * laplacian * laplacian, denominator = 1 + 0.25f * laplacian;
    const float speckle = numerator / (denominator * denominator);
    const float coefficient = 1 / (1 + (speckle - noise) / (noise * (1 + noise)));
    const int plane = width * height;
    planes[at] = n;
    planes[at + plane] = s;
    planes[at + 2 * plane] = w;
    planes[at + 3 * plane] = e;
    planes[at + 4 * plane] = fminf(fmaxf(coefficient, 0), 1);
}
