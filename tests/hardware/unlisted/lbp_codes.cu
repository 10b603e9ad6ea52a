/*
[kernel]
title   = "Local binary patterns: each pixel is compared with its eight neighbours, rotated to the least code, and counted in a histogram of the block"

[parameters]
W = { default = 1056 }
H = { default = 512 }

[buffers]
image = { type = "u8", length = "W * H", fill = "random", seed = "1411", below = "256" }
codes = { type = "u8", length = "W * H", fill = "zero" }
histogram = { type = "u32", length = "256", fill = "zero" }

[launch]
arguments = ["image", "codes", "histogram", "W", "H"]
grid  = ["ceil_div(W, 32)", "ceil_div(H, 8)"]
block = ["32", "8"]
*/
extern "C" __global__ void lbp_codes(const unsigned char* __restrict__ image,
                                     unsigned char* __restrict__ codes, unsigned* histogram, int w, int h) {
    __shared__ unsigned counts[256];
    const int thread = threadIdx.y * 32 + threadIdx.x;
    counts[thread] = 0;
    __syncthreads();
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
        const unsigned char* p = image + y * w + x;
        const int mine = p[0];
        unsigned code = p[-w - 1] >= mine;
        code |= (p[-w] >= mine) << 1;
        code |= (p[-w + 1] >= mine) << 2;
        code |= (p[1] >= mine) << 3;
        code |= (p[w + 1] >= mine) << 4;
        code |= (p[w] >= mine) << 5;
        code |= (p[w - 1] >= mine) << 6;
        code |= (p[-1] >= mine) << 7;
        unsigned least = code;
        for (int by = 1; by < 8; ++by) {
            code = (code >> 1 | code << 7) & 255;
            least = min(least, code);
        }
        codes[y * w + x] = least;
        atomicAdd(&counts[least], 1u);
    }
    __syncthreads();
    if (counts[thread] != 0) atomicAdd(&histogram[thread], counts[thread]);
}
