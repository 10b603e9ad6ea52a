// Power iteration for the largest eigenvalue of a banded matrix in one cooperative launch.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>
#include <cuda_runtime.h>
#include <cooperative_groups.h>

using namespace cooperative_groups;

#define CHECK_CUDA(expr)                                                                         \
    if (cudaError_t e = (expr); e != cudaSuccess) {                                              \
        std::fprintf(stderr, "%s failed: %s\n", #expr, cudaGetErrorString(e));                   \
        return 1;                                                                                \
    }

template <int HALF>
__global__ void power_iteration(const double *diagonals, double *x, double *y, double *norm, int n, int iterations) {
    grid_group grid = this_grid();
    thread_block block = this_thread_block();
    extern __shared__ double sdata[];
    for (int it = 0; it < iterations; ++it) {
        double local = 0.0;
        for (int row = grid.thread_rank(); row < n; row += grid.size()) {
            double acc = 0.0;
            for (int k = -HALF; k <= HALF; ++k) {
                int col = row + k;
                if (col >= 0 && col < n) acc += diagonals[(k + HALF) * n + row] * x[col];
            }
            y[row] = acc;
            local += acc * acc;
        }
        sdata[block.thread_rank()] = local;
        block.sync();
        for (int s = block.size() / 2; s > 0; s /= 2) {
            if (block.thread_rank() < s) sdata[block.thread_rank()] += sdata[block.thread_rank() + s];
            block.sync();
        }
        if (block.thread_rank() == 0) atomicAdd(&norm[it], sdata[0]);
        grid.sync();
        double scale = rsqrt(norm[it]);
        for (int row = grid.thread_rank(); row < n; row += grid.size()) x[row] = y[row] * scale;
        grid.sync();
    }
}

int main(int argc, char **argv) {
    constexpr int HALF = 2;
    int n = 1 << 15;
    int iterations = 4;
    std::vector<double> diagonals((2 * HALF + 1) * n), x(n, 1.0);
    for (int d = 0; d < 2 * HALF + 1; ++d)
        for (int i = 0; i < n; ++i) diagonals[d * n + i] = d == HALF ? 4.0 : -1.0 / (1 + std::abs(d - HALF));

    double *d_diag, *d_x, *d_y, *d_norm;
    CHECK_CUDA(cudaMalloc(&d_diag, diagonals.size() * sizeof(double)));
    CHECK_CUDA(cudaMalloc(&d_x, n * sizeof(double)));
    CHECK_CUDA(cudaMalloc(&d_y, n * sizeof(double)));
    CHECK_CUDA(cudaMalloc(&d_norm, iterations * sizeof(double)));
    CHECK_CUDA(cudaMemcpy(d_diag, diagonals.data(), diagonals.size() * sizeof(double), cudaMemcpyHostToDevice));
    CHECK_CUDA(cudaMemcpy(d_x, x.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    CHECK_CUDA(cudaMemset(d_norm, 0, iterations * sizeof(double)));

    int device = 0, sms = 0, blocks_per_sm = 0;
    const int threads = 256;
    const size_t smem = threads * sizeof(double);
    CHECK_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, power_iteration<HALF>, threads, smem));
    int blocks = std::min(sms * blocks_per_sm, (n + threads - 1) / threads);
    void *args[] = {&d_diag, &d_x, &d_y, &d_norm, &n, &iterations};
    CHECK_CUDA(cudaLaunchCooperativeKernel((void *)power_iteration<HALF>, dim3(blocks), dim3(threads), args, smem, 0));
    CHECK_CUDA(cudaDeviceSynchronize());
    std::vector<double> norm(iterations);
    CHECK_CUDA(cudaMemcpy(norm.data(), d_norm, iterations * sizeof(double), cudaMemcpyDeviceToHost));
    std::printf("eigenvalue %f\n", std::sqrt(norm[iterations - 1]));
    return 0;
}
