// Box blur with pitched images and a separable pass
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>

constexpr int W = 500;
constexpr int H = 300;
constexpr int R = 3;

__global__ void blurRows(const unsigned char* src, size_t srcPitch, float* dst, size_t dstPitch, int w, int h, int radius) {
    extern __shared__ unsigned char rowTile[];
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y;
    const unsigned char* row = src + y * srcPitch;
    const int first = blockIdx.x * blockDim.x - radius;
    for (int t = threadIdx.x; t < blockDim.x + 2 * radius; t += blockDim.x) {
        int sx = min(max(first + t, 0), w - 1);
        rowTile[t] = row[sx];
    }
    __syncthreads();
    if (x < w) {
        int acc = 0;
        for (int k = 0; k <= 2 * radius; ++k) acc += rowTile[threadIdx.x + k];
        float* out = (float*)((char*)dst + y * dstPitch);
        out[x] = acc / float(2 * radius + 1);
    }
}

__global__ void blurCols(const float* src, size_t srcPitch, unsigned char* dst, size_t dstPitch, int w, int h, int radius) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float acc = 0;
    for (int k = -radius; k <= radius; ++k) {
        int sy = min(max(y + k, 0), h - 1);
        acc += ((const float*)((const char*)src + sy * srcPitch))[x];
    }
    dst[y * dstPitch + x] = (unsigned char)(acc / (2 * radius + 1));
}

int main() {
    static unsigned char image[H][W];
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x)
            image[y][x] = (x / 16 + y / 16) % 2 ? 255 : 0;
    unsigned char *d_in, *d_out;
    float* d_tmp;
    size_t inPitch, tmpPitch, outPitch;
    cudaMallocPitch((void**)&d_in, &inPitch, W, H);
    cudaMallocPitch((void**)&d_tmp, &tmpPitch, W * sizeof(float), H);
    cudaMallocPitch((void**)&d_out, &outPitch, W, H);
    cudaMemcpy2D(d_in, inPitch, image, W, W, H, cudaMemcpyHostToDevice);
    dim3 b1(128), g1((W + b1.x - 1) / b1.x, H);
    size_t smem = (b1.x + 2 * R) * sizeof(unsigned char);
    blurRows<<<g1, b1, smem>>>(d_in, inPitch, d_tmp, tmpPitch, W, H, R);
    dim3 b2(32, 8), g2((W + 31) / 32, (H + 7) / 8);
    blurCols<<<g2, b2>>>(d_tmp, tmpPitch, d_out, outPitch, W, H, R);
    cudaMemcpy2D(image, W, d_out, outPitch, W, H, cudaMemcpyDeviceToHost);
    printf("%d\n", image[10][10]);
}
