#include <algorithm>
#include <cstdio>

#include <cuda_runtime.h>
// Rows of the Mandelbrot set from 256 queues of four: a block takes the rows of its own, then steals from those of
// the blocks after it, in order.
__device__ int take(int* head, int end) {
    int seen = *(volatile int*)head, was;
    while (seen < end && (was = atomicCAS(head, seen, seen + 1)) != seen) seen = was;
    return seen < end ? seen : -1;
}
__global__ void queue_steals(unsigned short* image, int width, int limit, int* heads, int* taken) {
    __shared__ int row;
    int mine = 0;
    const int own = blockIdx.x, queues = gridDim.x;
    for (int offset = 0; offset < queues;) {
        const int queue = (own + offset) % queues;
        __syncthreads();
        if (threadIdx.x == 0) row = take(&heads[queue], 4 * queue + 4);
        __syncthreads();
        if (row < 0) {
            ++offset;
            continue;
        }
        ++mine;
        for (int x = threadIdx.x; x < width; x += blockDim.x) {
            const float cr = -2.2f + 3.2f * x / width, ci = -1.2f + 2.4f * row / (4 * queues);
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
    const int width = 1024, queues = 256;
    unsigned short* image;
    int *heads, *taken;
    cudaMalloc(&image, width * 4 * queues * 2);
    cudaMalloc(&heads, queues * 4);
    cudaMalloc(&taken, queues * 4);
    cudaMemset(taken, 0, queues * 4);
    static int begin[queues];
    for (int i = 0; i < queues; ++i) begin[i] = 4 * i;
    cudaMemcpy(heads, begin, sizeof begin, cudaMemcpyHostToDevice);
    queue_steals<<<queues, 128>>>(image, width, 256, heads, taken);
    cudaDeviceSynchronize();
    static int counts[queues];
    cudaMemcpy(counts, taken, sizeof counts, cudaMemcpyDeviceToHost);
    int least = counts[0], most = counts[0], sum = 0;
    for (const int count : counts) {
        least = std::min(least, count);
        most = std::max(most, count);
        sum += count;
    }
    printf("TAKEN queue_steals least %d most %d sum %d\n", least, most, sum);
}
