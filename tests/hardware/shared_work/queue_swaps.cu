#include <algorithm>
#include <cstdio>

#include <cuda_runtime.h>
// As queue_rows, with a queue that is taken from by compare-and-swap.
__global__ void queue_swaps(unsigned short* image, int width, int height, int limit, int* next, int* taken) {
    __shared__ int row;
    int mine = 0;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) {
            int seen = *(volatile int*)next, was;
            while (seen < height && (was = atomicCAS(next, seen, seen + 1)) != seen) seen = was;
            row = seen;
        }
        __syncthreads();
        if (row >= height) break;
        ++mine;
        for (int x = threadIdx.x; x < width; x += blockDim.x) {
            const float cr = -2.2f + 3.2f * x / width, ci = -1.2f + 2.4f * row / height;
            float zr = 0, zi = 0;
            int i = 0;
            for (; i < limit && zr * zr + zi * zi < 4; ++i) {
                const float t = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci;
                zr = t;
            }
            image[row * width + x] = i;
        }
    }
    if (threadIdx.x == 0) taken[blockIdx.x] = mine;
}
int main() {
    const int width = 1024, height = 1024;
    unsigned short* image;
    int *next, *taken;
    cudaMalloc(&image, width * height * 2);
    cudaMalloc(&next, 4);
    cudaMalloc(&taken, 264 * 4);
    cudaMemset(next, 0, 4);
    cudaMemset(taken, 0, 264 * 4);
    queue_swaps<<<264, 128>>>(image, width, height, 256, next, taken);
    cudaDeviceSynchronize();
    static int counts[264];
    cudaMemcpy(counts, taken, sizeof counts, cudaMemcpyDeviceToHost);
    int least = counts[0], most = counts[0], sum = 0;
    for (const int count : counts) {
        least = std::min(least, count);
        most = std::max(most, count);
        sum += count;
    }
    printf("TAKEN queue_swaps least %d most %d sum %d\n", least, most, sum);
}
