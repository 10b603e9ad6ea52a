#include <algorithm>
#include <cstdio>

#include <cuda_runtime.h>
// Rows of a sparse matrix, one warp each, from a queue: lane 0 takes 4 rows at a time. Row r has r % 61 * 4
// entries.
__global__ void queue_warps(const int* column, const float* value, const float* x, float* y, int rows,
                            int* next, int* taken) {
    const int lane = threadIdx.x % 32;
    int mine = 0;
    for (;;) {
        int first = 0;
        if (lane == 0) first = atomicAdd(next, 4);
        first = __shfl_sync(0xffffffff, first, 0);
        if (first >= rows) break;
        ++mine;
        for (int row = first; row < min(first + 4, rows); ++row) {
            const int begin = row * 256, end = begin + row % 61 * 4;
            float sum = 0;
            for (int i = begin + lane; i < end; i += 32) sum += value[i] * x[column[i]];
            for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
            if (lane == 0) y[row] = sum;
        }
    }
    if (lane == 0) taken[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = mine;
}
int main() {
    const int rows = 65536;
    int *column, *next, *taken;
    float *value, *x, *y;
    cudaMalloc(&column, rows * 256 * 4);
    cudaMalloc(&value, rows * 256 * 4);
    cudaMalloc(&x, rows * 4);
    cudaMalloc(&y, rows * 4);
    cudaMalloc(&next, 4);
    cudaMalloc(&taken, 264 * 8 * 4);
    cudaMemset(column, 0, rows * 256 * 4);
    cudaMemset(value, 0, rows * 256 * 4);
    cudaMemset(x, 0, rows * 4);
    cudaMemset(next, 0, 4);
    cudaMemset(taken, 0, 264 * 8 * 4);
    queue_warps<<<264, 256>>>(column, value, x, y, rows, next, taken);
    cudaDeviceSynchronize();
    static int counts[264 * 8];
    cudaMemcpy(counts, taken, sizeof counts, cudaMemcpyDeviceToHost);
    int least = counts[0], most = counts[0], sum = 0;
    for (const int count : counts) {
        least = std::min(least, count);
        most = std::max(most, count);
        sum += count;
    }
    printf("TAKEN queue_warps least %d most %d sum %d\n", least, most, sum);
}
