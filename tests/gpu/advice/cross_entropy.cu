#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void cross_entropy_forward(float* losses, const float* logits, const int* targets, int N, int V) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        const float* x = logits + i * V;
        float maxval = -INFINITY;
        for (int j = 0; j < V; j++) {
            if (x[j] > maxval) maxval = x[j];
        }
        float sum = 0.0f;
        for (int j = 0; j < V; j++) {
            sum += expf(x[j] - maxval);
        }
        losses[i] = -(x[targets[i]] - maxval - logf(sum));
    }
}

int main() {
    const int N = 4096, V = 512;
    std::vector<float> logits(N * V);
    std::vector<int> targets(N);
    for (int i = 0; i < N * V; i++) logits[i] = (float)((i * 37) % 101) / 25.0f - 2.0f;
    for (int i = 0; i < N; i++) targets[i] = (i * 7) % V;
    float *d_logits, *d_losses;
    int* d_targets;
    cudaMalloc(&d_logits, N * V * sizeof(float));
    cudaMalloc(&d_losses, N * sizeof(float));
    cudaMalloc(&d_targets, N * sizeof(int));
    cudaMemcpy(d_logits, logits.data(), N * V * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_targets, targets.data(), N * sizeof(int), cudaMemcpyHostToDevice);
    int block_size = 128;
    int grid_size = (N + block_size - 1) / block_size;
    cross_entropy_forward<<<grid_size, block_size>>>(d_losses, d_logits, d_targets, N, V);
    cudaDeviceSynchronize();
    return 0;
}
