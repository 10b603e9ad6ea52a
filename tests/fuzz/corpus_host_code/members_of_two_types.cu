// k-means, 2D points
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <random>
#include <cuda_runtime.h>

#define CUDA_CHECK(call) do { cudaError_t err = (call); if (err != cudaSuccess) { \
  fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err)); exit(EXIT_FAILURE); } } while (0)

struct Point { float x, y; int cluster; };

__global__ void assign(Point* pts, const float2* centroids, int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float best = 1e30f;
    int bestk = 0;
    for (int c = 0; c < k; ++c) {
        float dx = pts[i].x - centroids[c].x;
        float dy = pts[i].y - centroids[c].y;
        float d = dx * dx + dy * dy;
        if (d < best) { best = d; bestk = c; }
    }
    pts[i].cluster = bestk;
}

__global__ void accumulate(const Point* pts, float* sumx, float* sumy, int* count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int c = pts[i].cluster;
    atomicAdd(&sumx[c], pts[i].x);
    atomicAdd(&sumy[c], pts[i].y);
    atomicAdd(&count[c], 1);
}

__global__ void update(float2* centroids, const float* sumx, const float* sumy, const int* count, int k)
{
    int c = threadIdx.x;
    if (c < k && count[c] > 0) centroids[c] = make_float2(sumx[c] / count[c], sumy[c] / count[c]);
}

int main(int argc, char** argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 100000;
    const int k = argc > 2 ? atoi(argv[2]) : 16;
    std::mt19937 rng(42);
    std::uniform_real_distribution<float> uni(0.f, 10.f);
    std::vector<Point> h(n);
    for (int i = 0; i < n; ++i) {
        h[i].x = uni(rng);
        h[i].y = uni(rng);
        h[i].cluster = i % k;
    }
    std::vector<float2> c(k);
    for (int j = 0; j < k; ++j) c[j] = make_float2(h[j * 7].x, h[j * 7].y);

    Point* d_pts; float2* d_c; float *d_sx, *d_sy; int* d_cnt;
    CUDA_CHECK(cudaMalloc(&d_pts, n * sizeof(Point)));
    CUDA_CHECK(cudaMalloc(&d_c, k * sizeof(float2)));
    CUDA_CHECK(cudaMalloc(&d_sx, k * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_sy, k * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_cnt, k * sizeof(int)));
    CUDA_CHECK(cudaMemcpy(d_pts, h.data(), n * sizeof(Point), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_c, c.data(), k * sizeof(float2), cudaMemcpyHostToDevice));
    int threads = 256, blocks = (n + threads - 1) / threads;
    for (int it = 0; it < 20; ++it) {
        CUDA_CHECK(cudaMemset(d_sx, 0, k * sizeof(float)));
        CUDA_CHECK(cudaMemset(d_sy, 0, k * sizeof(float)));
        CUDA_CHECK(cudaMemset(d_cnt, 0, k * sizeof(int)));
        assign<<<blocks, threads>>>(d_pts, d_c, n, k);
        accumulate<<<blocks, threads>>>(d_pts, d_sx, d_sy, d_cnt, n);
        update<<<1, k>>>(d_c, d_sx, d_sy, d_cnt, k);
        CUDA_CHECK(cudaGetLastError());
    }
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(c.data(), d_c, k * sizeof(float2), cudaMemcpyDeviceToHost));
    for (auto& p : c) printf("%f %f\n", p.x, p.y);
    return 0;
}
