/*
[kernel]
title   = "A layer of 3 x 3 filters as a product on tensor cores: 64 channels, nine shifted tiles of 16 pixels times 16 channels of each filter"

[parameters]
height = { default = 32 }
width = { default = 64 }
images = { default = 4 }

[buffers]
input = { type = "f16", length = "images * (height + 2) * (width + 16) * 64", fill = "random", seed = "1526" }
filters = { type = "f16", length = "9 * 64 * 64", fill = "random", seed = "1527" }
output = { type = "f32", length = "images * height * width * 64", fill = "zero" }

[launch]
arguments = ["input", "filters", "output", "height", "width"]
grid  = ["width // 16", "height", "images"]
block = ["128"]
*/
#include <mma.h>
extern "C" __global__ void conv_wmma(const half* __restrict__ input, const half* __restrict__ filters, float* __restrict__ output,
                                     int height, int width) {
    using namespace nvcuda;
    __shared__ half pixels[3][18][80];
    const int x0 = blockIdx.x * 16, y = blockIdx.y, image = blockIdx.z, warp = threadIdx.x / 32;
    const half* from = input + ((image * (height + 2) + y) * (width + 16) + x0) * 64;
    for (int i = threadIdx.x; i < 3 * 18 * 8; i += 128) {
        const int row = i / 144, place = i / 8 % 18, group = i % 8;
        *reinterpret_cast<uint4*>(&pixels[row][place][group * 8]) =
            *reinterpret_cast<const uint4*>(from + (row * (width + 16) + place) * 64 + group * 8);
    }
    __syncthreads();
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int tap = 0; tap < 9; ++tap)
#pragma unroll
        for (int c = 0; c < 64; c += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
            wmma::load_matrix_sync(left, &pixels[tap / 3][tap % 3][c], 80);
            wmma::load_matrix_sync(right, filters + (tap * 64 + c) * 64 + warp * 16, 64);
            wmma::mma_sync(sum, left, right, sum);
        }
    wmma::store_matrix_sync(output + ((image * height + y) * width + x0) * 64 + warp * 16, sum, 64, wmma::mem_row_major);
}
