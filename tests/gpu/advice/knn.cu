#include <cuda_runtime.h>
#include <vector>
#define DIM 8
__global__ void nearest(const float *q, const float *pts, int nq, int np, int *idx, float *dist) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nq) return;
    float best = 1e30f;
    int arg = -1;
    for (int j = 0; j < np; j++) {
        float d = 0;
        for (int k = 0; k < DIM; k++) {
            float t = q[i * DIM + k] - pts[j * DIM + k];
            d += t * t;
        }
        if (d < best) { best = d; arg = j; }
    }
    idx[i] = arg;
    dist[i] = sqrtf(best);
}
int main() {
    const int nq = 16384, np = 512;
    std::vector<float> q(nq * DIM), p(np * DIM);
    for (int i = 0; i < nq * DIM; i++) q[i] = (i * 97 % 1009) * 0.01f;
    for (int i = 0; i < np * DIM; i++) p[i] = (i * 53 % 997) * 0.01f;
    float *dq, *dp, *dd; int *di;
    cudaMalloc(&dq, nq * DIM * 4); cudaMalloc(&dp, np * DIM * 4); cudaMalloc(&dd, nq * 4); cudaMalloc(&di, nq * 4);
    cudaMemcpy(dq, q.data(), nq * DIM * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dp, p.data(), np * DIM * 4, cudaMemcpyHostToDevice);
    nearest<<<(nq + 127) / 128, 128>>>(dq, dp, nq, np, di, dd);
    cudaDeviceSynchronize();
}
