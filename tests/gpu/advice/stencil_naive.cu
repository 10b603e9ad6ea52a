#include <cuda_runtime.h>
#include <vector>
__global__ void heat(float *in, float *out, int nx, int ny, float c) {
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && j > 0 && i < ny - 1 && j < nx - 1) {
        float u = in[i * nx + j];
        out[i * nx + j] = u + c * (in[(i - 1) * nx + j] + in[(i + 1) * nx + j] + in[i * nx + j - 1] + in[i * nx + j + 1] - 4.0 * u);
    }
}
int main() {
    const int nx = 1024, ny = 1024;
    std::vector<float> a(nx * ny, 1.f);
    for (int i = 0; i < nx; i++) a[i] = 100.f + i;
    float *d, *o;
    cudaMalloc(&d, nx * ny * 4);
    cudaMalloc(&o, nx * ny * 4);
    cudaMemcpy(d, a.data(), nx * ny * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(o, a.data(), nx * ny * 4, cudaMemcpyHostToDevice);
    dim3 b(32, 8), g(nx / 32, ny / 8);
    for (int s = 0; s < 4; s++) {
        heat<<<g, b>>>(d, o, nx, ny, 0.1f);
        float *t = d; d = o; o = t;
    }
    cudaDeviceSynchronize();
}
