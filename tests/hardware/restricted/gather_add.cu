#include <cuda_runtime.h>
#include <vector>
__global__ void gather_add(const int* idx, const float* e, float* out, int d) {
    for (int k = 0; k < 8; ++k)
        out[blockIdx.x * d + threadIdx.x] += e[(idx[blockIdx.x * 8 + k] & 1023) * d + threadIdx.x];
}

int main() {
    const int count = 1 << 20;
    float* p0;
    cudaMalloc(&p0, count * sizeof(float));
    cudaMemset(p0, 0, count * sizeof(float));
    float* p1;
    cudaMalloc(&p1, count * sizeof(float));
    cudaMemset(p1, 0, count * sizeof(float));
    std::vector<int> hq0(count / 4 + 1);
    for (int i = 0; i <= count / 4; ++i) hq0[i] = (i * 7919) % 16384;
    int* q0;
    cudaMalloc(&q0, (count / 4 + 1) * sizeof(int));
    cudaMemcpy(q0, hq0.data(), (count / 4 + 1) * sizeof(int), cudaMemcpyHostToDevice);
    gather_add<<<512, 256>>>(q0, p0, p1, 256);
    return cudaDeviceSynchronize();
}
