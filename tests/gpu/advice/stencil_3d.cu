#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

#define IDX(x, y, z) ((z) * ny * nx + (y) * nx + (x))

__global__ void heat3d(const double* u, double* unew, int nx, int ny, int nz, double c) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1) {
        unew[IDX(x, y, z)] = u[IDX(x, y, z)] +
                             c * (u[IDX(x - 1, y, z)] + u[IDX(x + 1, y, z)] + u[IDX(x, y - 1, z)] + u[IDX(x, y + 1, z)] +
                                  u[IDX(x, y, z - 1)] + u[IDX(x, y, z + 1)] - 6.0 * u[IDX(x, y, z)]);
    }
}

int main() {
    const int nx = 128, ny = 128, nz = 64;
    const size_t n = (size_t)nx * ny * nz;
    std::vector<double> h(n);
    for (size_t i = 0; i < n; i++) h[i] = (double)(i % 97);
    double *u, *unew;
    cudaMalloc(&u, n * sizeof(double));
    cudaMalloc(&unew, n * sizeof(double));
    cudaMemcpy(u, h.data(), n * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(unew, h.data(), n * sizeof(double), cudaMemcpyHostToDevice);
    dim3 block(8, 8, 8);
    dim3 grid(nx / 8, ny / 8, nz / 8);
    heat3d<<<grid, block>>>(u, unew, nx, ny, nz, 0.1);
    cudaDeviceSynchronize();
    return 0;
}
