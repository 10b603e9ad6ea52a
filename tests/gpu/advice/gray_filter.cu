#include <cuda_runtime.h>
#include <vector>
#define R 3
__global__ void boxBlur(const unsigned char *src, unsigned char *dst, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int sum = 0, count = 0;
    for (int dy = -R; dy <= R; dy++)
        for (int dx = -R; dx <= R; dx++) {
            int xx = x + dx, yy = y + dy;
            if (xx >= 0 && xx < w && yy >= 0 && yy < h) {
                sum += src[yy * w + xx];
                count++;
            }
        }
    dst[y * w + x] = (unsigned char)(sum / count);
}
int main() {
    const int w = 1280, h = 720;
    std::vector<unsigned char> img(w * h);
    for (int i = 0; i < w * h; i++) img[i] = (i * 31) >> 3;
    unsigned char *s, *d;
    cudaMalloc(&s, w * h);
    cudaMalloc(&d, w * h);
    cudaMemcpy(s, img.data(), w * h, cudaMemcpyHostToDevice);
    dim3 b(16, 16), g((w + 15) / 16, (h + 15) / 16);
    boxBlur<<<g, b>>>(s, d, w, h);
    cudaDeviceSynchronize();
}
