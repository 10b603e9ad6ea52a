/*
[kernel]
title   = "Jacobi step in double precision with 27 points: planes walk through shared memory"

[parameters]
nx = { default = 128 }
ny = { default = 96 }
nz = { default = 66 }

[buffers]
u = { type = "f64", length = "nx * ny * nz", fill = "random", seed = "705" }
v = { type = "f64", length = "nx * ny * nz", fill = "zero" }

[launch]
arguments = ["u", "v", "nx", "ny", "nz"]
grid  = ["ceil_div(nx - 2, 32)", "ceil_div(ny - 2, 8)", "4"]
block = ["32", "8"]
*/
extern "C" __global__ void jacobi_27_point(const double* __restrict__ u, double* __restrict__ v, int nx, int ny, int nz) {
    __shared__ double plane[3][10][34];
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 8;
    const int per = (nz - 2 + gridDim.z - 1) / gridDim.z, first = 1 + blockIdx.z * per, last = min(first + per, nz - 1);
    const auto load = [&](int z) {
        for (int i = threadIdx.y * 32 + threadIdx.x; i < 340; i += 256) {
            const int x = min(x0 + i % 34, nx - 1), y = min(y0 + i / 34, ny - 1);
            plane[z % 3][i / 34][i % 34] = u[(size_t(z) * ny + y) * nx + x];
        }
    };
    load(first - 1);
    load(first);
    const int x = x0 + threadIdx.x + 1, y = y0 + threadIdx.y + 1;
    for (int z = first; z < last; ++z) {
        load(z + 1);
        __syncthreads();
        double sums[4] = {};
        for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx)
                    sums[(dx != 0) + (dy != 0) + (dz != 0)] +=
                        plane[(z + dz) % 3][threadIdx.y + 1 + dy][threadIdx.x + 1 + dx];
        if (x < nx - 1 && y < ny - 1)
            v[(size_t(z) * ny + y) * nx + x] = 0.4 * sums[0] + 0.05 * sums[1] + 0.02 * sums[2] + 0.0075 * sums[3];
        __syncthreads();
    }
}
