#include <algorithm>
#include <cstdio>

#include <cuda_runtime.h>
// A persistent matrix product: blocks take 32 x 32 tiles from a queue.
__global__ void queue_tiles(const float* a, const float* b, float* c, int n, int* next, int* taken) {
    __shared__ float as[32][33], bs[32][33];
    __shared__ int tile;
    const int tx = threadIdx.x, ty = threadIdx.y, tiles = n / 32;
    int mine = 0;
    for (;;) {
        if (tx == 0 && ty == 0) tile = atomicAdd(next, 1);
        __syncthreads();
        const int t = tile;
        if (t >= tiles * tiles) break;
        ++mine;
        const int row = t / tiles * 32, column = t % tiles * 32;
        float sum[4] = {0, 0, 0, 0};
        for (int k = 0; k < n; k += 32) {
            for (int i = 0; i < 4; ++i) {
                as[ty + 8 * i][tx] = a[(row + ty + 8 * i) * n + k + tx];
                bs[ty + 8 * i][tx] = b[(k + ty + 8 * i) * n + column + tx];
            }
            __syncthreads();
            for (int j = 0; j < 32; ++j)
                for (int i = 0; i < 4; ++i) sum[i] += as[ty + 8 * i][j] * bs[j][tx];
            __syncthreads();
        }
        for (int i = 0; i < 4; ++i) c[(row + ty + 8 * i) * n + column + tx] = sum[i];
        __syncthreads();
    }
    if (tx == 0 && ty == 0) taken[blockIdx.x] = mine;
}
int main() {
    const int n = 1024;
    float *a, *b, *c;
    int *next, *taken;
    cudaMalloc(&a, n * n * 4);
    cudaMalloc(&b, n * n * 4);
    cudaMalloc(&c, n * n * 4);
    cudaMalloc(&next, 4);
    cudaMalloc(&taken, 264 * 4);
    cudaMemset(a, 0, n * n * 4);
    cudaMemset(b, 0, n * n * 4);
    cudaMemset(next, 0, 4);
    cudaMemset(taken, 0, 264 * 4);
    queue_tiles<<<264, dim3(32, 8)>>>(a, b, c, n, next, taken);
    cudaDeviceSynchronize();
    static int counts[264];
    cudaMemcpy(counts, taken, sizeof counts, cudaMemcpyDeviceToHost);
    int least = counts[0], most = counts[0], sum = 0;
    for (const int count : counts) {
        least = std::min(least, count);
        most = std::max(most, count);
        sum += count;
    }
    printf("TAKEN queue_tiles least %d most %d sum %d\n", least, most, sum);
}
