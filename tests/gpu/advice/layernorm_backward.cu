#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

// one block per row
__global__ void layernorm_backward_dx(float* dx, const float* dout, const float* x, const float* weight,
                                      const float* mean, const float* rstd, int C) {
    extern __shared__ float shared[];
    float* s1 = shared;
    float* s2 = shared + blockDim.x;
    int row = blockIdx.x;
    int tid = threadIdx.x;
    const float* dout_row = dout + row * C;
    const float* x_row = x + row * C;
    float m = mean[row];
    float r = rstd[row];
    float a = 0.0f, b = 0.0f;
    for (int c = tid; c < C; c += blockDim.x) {
        float norm = (x_row[c] - m) * r;
        float dnorm = weight[c] * dout_row[c];
        a += dnorm;
        b += dnorm * norm;
    }
    s1[tid] = a;
    s2[tid] = b;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            s1[tid] += s1[tid + stride];
            s2[tid] += s2[tid + stride];
        }
        __syncthreads();
    }
    float dnorm_mean = s1[0] / C;
    float dnorm_norm_mean = s2[0] / C;
    for (int c = tid; c < C; c += blockDim.x) {
        float norm = (x_row[c] - m) * r;
        float dnorm = weight[c] * dout_row[c];
        dx[row * C + c] = (dnorm - dnorm_mean - norm * dnorm_norm_mean) * r;
    }
}

int main() {
    const int rows = 2048, C = 768;
    std::vector<float> x(rows * C), dout(rows * C), w(C), mean(rows), rstd(rows);
    for (int i = 0; i < rows * C; i++) {
        x[i] = (i % 113) * 0.01f;
        dout[i] = (i % 71) * 0.02f - 0.7f;
    }
    for (int c = 0; c < C; c++) w[c] = 1.0f + 0.001f * c;
    for (int i = 0; i < rows; i++) {
        mean[i] = 0.55f;
        rstd[i] = 3.0f;
    }
    float *d_dx, *d_dout, *d_x, *d_w, *d_mean, *d_rstd;
    cudaMalloc(&d_dx, rows * C * sizeof(float));
    cudaMalloc(&d_dout, rows * C * sizeof(float));
    cudaMalloc(&d_x, rows * C * sizeof(float));
    cudaMalloc(&d_w, C * sizeof(float));
    cudaMalloc(&d_mean, rows * sizeof(float));
    cudaMalloc(&d_rstd, rows * sizeof(float));
    cudaMemcpy(d_dout, dout.data(), rows * C * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_x, x.data(), rows * C * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_w, w.data(), C * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_mean, mean.data(), rows * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_rstd, rstd.data(), rows * sizeof(float), cudaMemcpyHostToDevice);
    const int threads = 256;
    layernorm_backward_dx<<<rows, threads, 2 * threads * sizeof(float)>>>(d_dx, d_dout, d_x, d_w, d_mean, d_rstd, C);
    cudaDeviceSynchronize();
    return 0;
}
