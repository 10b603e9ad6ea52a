// Overlapped gamma correction: 4 streams, pinned buffers, events for timing.
#include <cuda_runtime.h>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <vector>

#define CHK(x) do { cudaError_t e = (x); if (e) { printf("%d: %s\n", __LINE__, cudaGetErrorString(e)); return 1; } } while (0)

__global__ void gammaCorrect(const unsigned char* in, unsigned char* out, const float* lut, size_t count) {
    extern __shared__ float table[];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) table[i] = lut[i];
    __syncthreads();
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count) out[i] = (unsigned char)(255.0f * table[in[i]] + 0.5f);
}

int main() {
    const int width = 1920, height = 1088, kStreams = 4;
    const size_t total = size_t(width) * height;
    const size_t chunk = total / kStreams;
    unsigned char *h_in, *h_out;
    CHK(cudaMallocHost(&h_in, total));
    CHK(cudaHostAlloc((void**)&h_out, total, cudaHostAllocDefault));
    for (size_t p = 0; p < total; ++p) h_in[p] = (unsigned char)(p * 7 & 255);

    std::vector<float> lut(256);
    for (int i = 0; i < 256; ++i) lut[i] = powf(i / 255.0f, 1.0f / 2.2f);
    float* d_lut;
    CHK(cudaMalloc(&d_lut, lut.size() * sizeof(float)));
    CHK(cudaMemcpy(d_lut, lut.data(), lut.size() * sizeof(float), cudaMemcpyHostToDevice));

    unsigned char* d_in[kStreams];
    unsigned char* d_out[kStreams];
    cudaStream_t stream[kStreams];
    cudaEvent_t start, stop;
    CHK(cudaEventCreate(&start));
    CHK(cudaEventCreate(&stop));
    for (int s = 0; s < kStreams; ++s) {
        CHK(cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking));
        CHK(cudaMalloc(&d_in[s], chunk));
        CHK(cudaMalloc(&d_out[s], chunk));
    }
    CHK(cudaEventRecord(start));
    for (int s = 0; s < kStreams; ++s) {
        const size_t off = s * chunk;
        CHK(cudaMemcpyAsync(d_in[s], h_in + off, chunk, cudaMemcpyHostToDevice, stream[s]));
        gammaCorrect<<<(chunk + 255) / 256, 256, 256 * sizeof(float), stream[s]>>>(d_in[s], d_out[s], d_lut, chunk);
        CHK(cudaMemcpyAsync(h_out + off, d_out[s], chunk, cudaMemcpyDeviceToHost, stream[s]));
    }
    CHK(cudaEventRecord(stop));
    CHK(cudaEventSynchronize(stop));
    float ms;
    CHK(cudaEventElapsedTime(&ms, start, stop));
    printf("%.3f ms\n", ms);
    return 0;
}
