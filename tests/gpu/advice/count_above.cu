#include <cuda_runtime.h>
#include <vector>
#include <cstdlib>
// Counts values above a limit, and invert of an image.
__global__ void countAbove(const float *v, int n, float limit, int *count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && v[i] > limit)
        atomicAdd(count, 1);
}
int main() {
    const int n = 1 << 19;
    std::vector<float> h(n);
    srand(1);
    for (int i = 0; i < n; i++) h[i] = rand() % 100;
    float *d; int *c;
    cudaMalloc(&d, n * 4);
    cudaMalloc(&c, sizeof(int));
    cudaMemset(c, 0, sizeof(int));
    cudaMemcpy(d, h.data(), n * 4, cudaMemcpyHostToDevice);
    countAbove<<<(n + 255) / 256, 256>>>(d, n, 50.0f, c);
    cudaDeviceSynchronize();
}
