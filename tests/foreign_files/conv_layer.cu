// Forward pass of a convolution layer with bias and ReLU, filters in constant memory.
#include <cstdio>
#include <random>
#include <vector>

#define CUDA_CHECK(call)                                                                   \
    do {                                                                                   \
        cudaError_t status_ = (call);                                                      \
        if (status_ != cudaSuccess) {                                                      \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_)); \
            exit(1);                                                                       \
        }                                                                                  \
    } while (0)

constexpr int kFilterSize = 5;
constexpr int kInChannels = 3;
constexpr int kOutChannels = 8;
constexpr int kTile = 16;

__constant__ float c_filters[kOutChannels * kInChannels * kFilterSize * kFilterSize];
__constant__ float c_bias[kOutChannels];

template <int K, bool kRelu>
__global__ void conv2d_forward(const float* __restrict__ x, float* __restrict__ y, int channels, int height,
                               int width) {
    constexpr int R = K / 2;
    __shared__ float tile[kTile + K - 1][kTile + K - 1];
    const int ox = blockIdx.x * kTile + threadIdx.x;
    const int oy = blockIdx.y * kTile + threadIdx.y;
    const int oc = blockIdx.z % kOutChannels;
    const int n = blockIdx.z / kOutChannels;
    float acc = c_bias[oc];
    for (int c = 0; c < channels; ++c) {
        for (int i = threadIdx.y; i < kTile + K - 1; i += kTile)
            for (int j = threadIdx.x; j < kTile + K - 1; j += kTile) {
                const int iy = blockIdx.y * kTile + i - R;
                const int ix = blockIdx.x * kTile + j - R;
                const bool inside = iy >= 0 && iy < height && ix >= 0 && ix < width;
                tile[i][j] = inside ? x[((n * channels + c) * height + iy) * width + ix] : 0.0f;
            }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < K; ++i)
#pragma unroll
            for (int j = 0; j < K; ++j)
                acc += c_filters[((oc * kInChannels + c) * K + i) * K + j] * tile[threadIdx.y + i][threadIdx.x + j];
        __syncthreads();
    }
    if (ox < width && oy < height)
        y[((n * kOutChannels + oc) * height + oy) * width + ox] = kRelu ? fmaxf(acc, 0.0f) : acc;
}

struct Tensor4 {
    int n, c, h, w;
    size_t size() const { return (size_t)n * c * h * w; }
    size_t bytes() const { return size() * sizeof(float); }
};

int main() {
    const Tensor4 in{4, kInChannels, 64, 64};
    const Tensor4 out{in.n, kOutChannels, in.h, in.w};

    std::mt19937 gen(42);
    std::uniform_real_distribution<float> dist(-0.1f, 0.1f);
    std::vector<float> filters(kOutChannels * kInChannels * kFilterSize * kFilterSize);
    for (auto& f : filters) f = dist(gen);
    std::vector<float> bias(kOutChannels, 0.01f);
    std::vector<float> image(in.size());
    for (size_t i = 0; i < image.size(); ++i) image[i] = static_cast<float>(i % 255) / 255.0f;

    float *d_x = nullptr, *d_y = nullptr;
    CUDA_CHECK(cudaMalloc(&d_x, in.bytes()));
    CUDA_CHECK(cudaMalloc(&d_y, out.bytes()));
    CUDA_CHECK(cudaMemcpy(d_x, image.data(), in.bytes(), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpyToSymbol(c_filters, filters.data(), filters.size() * sizeof(float)));
    CUDA_CHECK(cudaMemcpyToSymbol(c_bias, bias.data(), sizeof(c_bias)));

    const dim3 block(kTile, kTile);
    const dim3 grid((out.w + kTile - 1) / kTile, (out.h + kTile - 1) / kTile, out.n * out.c);
    conv2d_forward<kFilterSize, true><<<grid, block>>>(d_x, d_y, in.c, in.h, in.w);
    CUDA_CHECK(cudaGetLastError());

    std::vector<float> result(out.size());
    CUDA_CHECK(cudaMemcpy(result.data(), d_y, out.bytes(), cudaMemcpyDeviceToHost));
    printf("%f %f\n", result[0], result.back());
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_y));
    return 0;
}
