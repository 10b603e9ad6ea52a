/*
[kernel]
title   = "Running sums along the rows of an image: a warp per row, 32 pixels at a time by shuffles, with a carry"

[parameters]
width = { default = 1024 }
height = { default = 1056 }

[buffers]
image = { type = "u16", length = "width * height", fill = "random", seed = "1008", below = "4096" }
sums = { type = "u32", length = "width * height", fill = "zero" }

[launch]
arguments = ["image", "sums", "width"]
grid  = ["height // 4"]
block = ["128"]
*/
extern "C" __global__ void row_sums_running(const unsigned short* __restrict__ image, unsigned* __restrict__ sums, int width) {
    const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned carry = 0;
    for (int x = lane; x < width; x += 32) {
        unsigned sum = image[row * width + x];
        for (int step = 1; step < 32; step *= 2) {
            const unsigned before = __shfl_up_sync(~0u, sum, step);
            if (lane >= step) sum += before;
        }
        sums[row * width + x] = sum + carry;
        carry += __shfl_sync(~0u, sum, 31);
    }
}
