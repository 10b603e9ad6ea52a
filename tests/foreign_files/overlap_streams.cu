// Copies and kernels of several streams overlap; every stream handles its part of the data.
#include <stdio.h>
#include <assert.h>

inline cudaError_t checkCuda(cudaError_t result)
{
    if (result != cudaSuccess) {
        fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
        assert(result == cudaSuccess);
    }
    return result;
}

__global__ void haversine(float *dist, const float2 *from, const float2 *to, int offset)
{
    int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
    const float r = 6371.0f, deg = 0.017453292f;
    float dlat = (to[i].x - from[i].x) * deg;
    float dlon = (to[i].y - from[i].y) * deg;
    float a = sinf(dlat * 0.5f) * sinf(dlat * 0.5f) +
              cosf(from[i].x * deg) * cosf(to[i].x * deg) * sinf(dlon * 0.5f) * sinf(dlon * 0.5f);
    dist[i] = 2.0 * r * asinf(sqrtf(a));
}

int main(int argc, char **argv)
{
    const int blockSize = 256, nStreams = 4;
    const int n = 4 * 1024 * blockSize * nStreams / 16;
    const int streamSize = n / nStreams;
    const int streamBytes = streamSize * sizeof(float2);

    float2 *from, *to;
    float *dist;
    checkCuda(cudaMallocHost((void **)&from, n * sizeof(float2)));
    checkCuda(cudaMallocHost((void **)&to, n * sizeof(float2)));
    checkCuda(cudaMallocHost((void **)&dist, n * sizeof(float)));
    for (int i = 0; i < n; i++) {
        from[i].x = 48.0f + (i % 100) * 0.01f;
        from[i].y = 11.5f;
        to[i] = make_float2(52.5f, 13.4f + (i / 100) * 0.0001f);
    }
    float2 *d_from, *d_to;
    float *d_dist;
    checkCuda(cudaMalloc((void **)&d_from, n * sizeof(float2)));
    checkCuda(cudaMalloc((void **)&d_to, n * sizeof(float2)));
    checkCuda(cudaMalloc((void **)&d_dist, n * sizeof(float)));
    cudaStream_t stream[nStreams];
    for (int i = 0; i < nStreams; ++i) checkCuda(cudaStreamCreate(&stream[i]));
    for (int i = 0; i < nStreams; ++i) {
        int offset = i * streamSize;
        checkCuda(cudaMemcpyAsync(&d_from[offset], &from[offset], streamBytes, cudaMemcpyHostToDevice, stream[i]));
        checkCuda(cudaMemcpyAsync(&d_to[offset], &to[offset], streamBytes, cudaMemcpyHostToDevice, stream[i]));
        haversine<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d_dist, d_from, d_to, offset);
        checkCuda(cudaMemcpyAsync(&dist[offset], &d_dist[offset], streamSize * sizeof(float),
                                  cudaMemcpyDeviceToHost, stream[i]));
    }
    checkCuda(cudaDeviceSynchronize());
    printf("%f km\n", dist[n - 1]);
    for (int i = 0; i < nStreams; ++i) checkCuda(cudaStreamDestroy(stream[i]));
    cudaFree(d_from);
    cudaFree(d_to);
    cudaFree(d_dist);
    return 0;
}
