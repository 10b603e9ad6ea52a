#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <vector>

// scores = Q K^T / sqrt(d)
__global__ void qk_scores(const float* Q, const float* K, float* S, int seq_len, int d) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < seq_len && col < seq_len) {
        float sum = 0.0f;
        for (int k = 0; k < d; ++k) {
            sum += Q[row * d + k] * K[col * d + k];
        }
        S[row * seq_len + col] = sum / sqrtf((float)d);
    }
}

int main() {
    const int seq_len = 1024, d = 64;
    std::vector<float> q(seq_len * d), k(seq_len * d);
    for (int i = 0; i < seq_len * d; ++i) {
        q[i] = (i % 17) * 0.1f;
        k[i] = (i % 13) * 0.1f - 0.5f;
    }
    float *dq, *dk, *ds;
    cudaMalloc(&dq, q.size() * sizeof(float));
    cudaMalloc(&dk, k.size() * sizeof(float));
    cudaMalloc(&ds, (size_t)seq_len * seq_len * sizeof(float));
    cudaMemcpy(dq, q.data(), q.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dk, k.data(), k.size() * sizeof(float), cudaMemcpyHostToDevice);
    dim3 threads(16, 16);
    dim3 blocks((seq_len + 15) / 16, (seq_len + 15) / 16);
    qk_scores<<<blocks, threads>>>(dq, dk, ds, seq_len, d);
    cudaDeviceSynchronize();
    return 0;
}
