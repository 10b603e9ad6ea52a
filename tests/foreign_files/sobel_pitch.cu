// Exercise 3: Sobel edge detection on pitched memory.
// usage: ./sobel_pitch [width] [height] [threshold]
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <cuda_runtime.h>

#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        if (abort) exit(code);
    }
}

__device__ __forceinline__ int pixel(const unsigned char *img, size_t pitch, int x, int y, int w, int h)
{
    x = max(0, min(x, w - 1));
    y = max(0, min(y, h - 1));
    return img[y * pitch + x];
}

__global__ void sobel(unsigned char *out, size_t outPitch, const unsigned char *in, size_t inPitch, int w, int h,
                      float threshold)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int gx = 0, gy = 0;
    for (int k = -1; k <= 1; ++k) {
        int weight = k == 0 ? 2 : 1;
        gx += weight * (pixel(in, inPitch, x + 1, y + k, w, h) - pixel(in, inPitch, x - 1, y + k, w, h));
        gy += weight * (pixel(in, inPitch, x + k, y + 1, w, h) - pixel(in, inPitch, x + k, y - 1, w, h));
    }
    float magnitude = sqrtf((float)(gx * gx + gy * gy));
    out[y * outPitch + x] = magnitude > threshold ? 255 : (unsigned char)magnitude;
}

int main(int argc, char **argv)
{
    int width = argc > 1 ? atoi(argv[1]) : 1000;
    int height = argc > 2 ? atoi(argv[2]) : 750;
    float threshold = argc > 3 ? atof(argv[3]) : 200.0f;

    unsigned char *h_img = (unsigned char *)malloc(width * height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            h_img[y * width + x] = (unsigned char)(((x / 16) ^ (y / 16)) & 1 ? 230 : x % 64);

    unsigned char *d_in, *d_out;
    size_t inPitch, outPitch;
    gpuErrchk(cudaMallocPitch((void **)&d_in, &inPitch, width * sizeof(unsigned char), height));
    gpuErrchk(cudaMallocPitch((void **)&d_out, &outPitch, width * sizeof(unsigned char), height));
    gpuErrchk(cudaMemcpy2D(d_in, inPitch, h_img, width, width, height, cudaMemcpyHostToDevice));

    dim3 threads(32, 8);
    dim3 blocks((width + threads.x - 1) / threads.x, (height + threads.y - 1) / threads.y);
    sobel<<<blocks, threads>>>(d_out, outPitch, d_in, inPitch, width, height, threshold);
    gpuErrchk(cudaPeekAtLastError());
    gpuErrchk(cudaDeviceSynchronize());

    gpuErrchk(cudaMemcpy2D(h_img, width, d_out, outPitch, width, height, cudaMemcpyDeviceToHost));
    printf("out[100][100] = %d\n", h_img[100 * width + 100]);
    cudaFree(d_in);
    cudaFree(d_out);
    free(h_img);
    return 0;
}
