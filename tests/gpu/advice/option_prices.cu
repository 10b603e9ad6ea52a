#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <vector>

__device__ float cnd(float d) {
    const float a1 = 0.31938153, a2 = -0.356563782, a3 = 1.781477937, a4 = -1.821255978, a5 = 1.330274429;
    float k = 1.0 / (1.0 + 0.2316419 * fabs(d));
    float r = 0.39894228040143267794 * exp(-0.5 * d * d) * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
    return d > 0 ? 1.0 - r : r;
}

__global__ void black_scholes(const float* S, const float* X, const float* T, float* call, float* put, float r, float v,
                              int n) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = blockDim.x * gridDim.x;
    for (int i = tid; i < n; i += stride) {
        float sqrtT = sqrt(T[i]);
        float d1 = (log(S[i] / X[i]) + (r + 0.5 * v * v) * T[i]) / (v * sqrtT);
        float d2 = d1 - v * sqrtT;
        float c1 = cnd(d1), c2 = cnd(d2);
        float e = exp(-r * T[i]);
        call[i] = S[i] * c1 - X[i] * e * c2;
        put[i] = X[i] * e * (1.0 - c2) - S[i] * (1.0 - c1);
    }
}

int main() {
    const int n = 1 << 20;
    std::vector<float> s(n), x(n), t(n);
    for (int i = 0; i < n; i++) {
        s[i] = 5.0f + (i % 250) * 0.1f;
        x[i] = 1.0f + (i % 990) * 0.1f;
        t[i] = 0.25f + (i % 97) * 0.1f;
    }
    float *ds, *dx, *dt, *dc, *dp;
    cudaMalloc(&ds, n * 4);
    cudaMalloc(&dx, n * 4);
    cudaMalloc(&dt, n * 4);
    cudaMalloc(&dc, n * 4);
    cudaMalloc(&dp, n * 4);
    cudaMemcpy(ds, s.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dt, t.data(), n * 4, cudaMemcpyHostToDevice);
    black_scholes<<<480, 128>>>(ds, dx, dt, dc, dp, 0.02f, 0.30f, n);
    cudaDeviceSynchronize();
    return 0;
}
