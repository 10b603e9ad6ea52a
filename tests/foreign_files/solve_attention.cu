#include <cuda_runtime.h>
#include <math.h>

// Q: M x d, K: N x d, V: N x d, output: M x d (all device pointers)

__global__ void qk_kernel(const float* Q, const float* K, float* S, int M, int N, int d) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < M && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < d; k++) sum += Q[row * d + k] * K[col * d + k];
        S[row * N + col] = sum / sqrtf((float)d);
    }
}

__global__ void softmax_kernel(float* S, int M, int N) {
    extern __shared__ float buf[];
    int row = blockIdx.x;
    int tid = threadIdx.x;
    float m = -INFINITY;
    for (int j = tid; j < N; j += blockDim.x) m = fmaxf(m, S[row * N + j]);
    buf[tid] = m;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) buf[tid] = fmaxf(buf[tid], buf[tid + s]);
        __syncthreads();
    }
    m = buf[0];
    __syncthreads();
    float sum = 0.0f;
    for (int j = tid; j < N; j += blockDim.x) {
        float e = expf(S[row * N + j] - m);
        S[row * N + j] = e;
        sum += e;
    }
    buf[tid] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) buf[tid] += buf[tid + s];
        __syncthreads();
    }
    sum = buf[0];
    for (int j = tid; j < N; j += blockDim.x) S[row * N + j] /= sum;
}

__global__ void pv_kernel(const float* S, const float* V, float* O, int M, int N, int d) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < M && col < d) {
        float sum = 0.0f;
        for (int k = 0; k < N; k++) sum += S[row * N + k] * V[k * d + col];
        O[row * d + col] = sum;
    }
}

// Q, K, V, output are device pointers
extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int M, int N, int d) {
    float* S;
    cudaMalloc(&S, (size_t)M * N * sizeof(float));
    dim3 threads(16, 16);
    dim3 grid1((N + 15) / 16, (M + 15) / 16);
    qk_kernel<<<grid1, threads>>>(Q, K, S, M, N, d);
    softmax_kernel<<<M, 256, 256 * sizeof(float)>>>(S, M, N);
    dim3 grid2((d + 15) / 16, (M + 15) / 16);
    pv_kernel<<<grid2, threads>>>(S, V, output, M, N, d);
    cudaDeviceSynchronize();
    cudaFree(S);
}
