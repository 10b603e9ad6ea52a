#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
#include <numeric>
#include <cmath>
#define CHECK(x) do { cudaError_t e = (x); if (e) { printf("%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); return 1; } } while (0)
constexpr int THREADS = 256;
__global__ void reduce(const float* in, double* out, size_t n) {
    __shared__ double tmp[THREADS];
    double s = 0;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) s += in[i];
    tmp[threadIdx.x] = s;
    __syncthreads();
    for (int k = THREADS / 2; k; k /= 2) { if (threadIdx.x < k) tmp[threadIdx.x] += tmp[threadIdx.x + k]; __syncthreads(); }
    if (threadIdx.x == 0) out[blockIdx.x] = tmp[0];
}
__global__ void reduceFinal(const double* in, double* out, int n) {
    __shared__ double tmp[THREADS];
    double s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) s += in[i];
    tmp[threadIdx.x] = s;
    __syncthreads();
    for (int k = THREADS / 2; k; k /= 2) { if (threadIdx.x < k) tmp[threadIdx.x] += tmp[threadIdx.x + k]; __syncthreads(); }
    if (threadIdx.x == 0) *out = tmp[0];
}
__global__ void shift(float* x, float by, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] += by; }

int main() {
    const size_t n = 1 << 16; const int blocks = 64;
    std::vector<float> h(n);
    for (size_t i = 0; i < n; ++i) h[i] = float(i % 13);
    float* d_in; double *d_part, *d_out; double result = 0;
    CHECK(cudaMalloc(&d_in, n * sizeof(float)));
    CHECK(cudaMalloc(&d_part, blocks * sizeof(double)));
    CHECK(cudaMalloc(&d_out, sizeof(double)));
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaMemcpy(d_in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    cudaGraph_t graph; cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    shift<<<n / THREADS, THREADS, 0, stream>>>(d_in, 1.0f, n);
    CHECK(cudaMemsetAsync(d_out, 0, sizeof(double), stream));
    reduce<<<blocks, THREADS, 0, stream>>>(d_in, d_part, n);
    reduceFinal<<<1, THREADS, 0, stream>>>(d_part, d_out, blocks);
    CHECK(cudaMemcpyAsync(&result, d_out, sizeof(double), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    size_t nodes = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    printf("nodes %zu\n", nodes);
    CHECK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    bool ok = true;
    for (int it = 1; it <= 5; ++it) {
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaStreamSynchronize(stream));
        double want = 0;
        for (float v : h) want += v + it;
        printf("launch %d: %.1f (expected %.1f)\n", it, result, want);
        ok = ok && std::fabs(result - want) < 1e-3;
    }
    // built by hand
    cudaGraph_t g2; cudaGraphExec_t e2; cudaGraphNode_t k1, k2;
    CHECK(cudaGraphCreate(&g2, 0));
    cudaKernelNodeParams kp = {};
    size_t nn = n; int bb = blocks;
    void* args1[] = {(void*)&d_in, (void*)&d_part, (void*)&nn};
    kp.func = (void*)reduce; kp.gridDim = dim3(blocks); kp.blockDim = dim3(THREADS); kp.sharedMemBytes = 0;
    kp.kernelParams = args1; kp.extra = NULL;
    CHECK(cudaGraphAddKernelNode(&k1, g2, NULL, 0, &kp));
    void* args2[] = {(void*)&d_part, (void*)&d_out, (void*)&bb};
    kp.func = (void*)reduceFinal; kp.gridDim = dim3(1); kp.kernelParams = args2;
    CHECK(cudaGraphAddKernelNode(&k2, g2, &k1, 1, &kp));
    CHECK(cudaGraphInstantiate(&e2, g2, NULL, NULL, 0));
    CHECK(cudaMemset(d_out, 0, 8));
    CHECK(cudaGraphLaunch(e2, stream));
    CHECK(cudaStreamSynchronize(stream));
    double again = -1;
    CHECK(cudaMemcpy(&again, d_out, 8, cudaMemcpyDeviceToHost));
    ok = ok && std::fabs(again - result) < 1e-3;
    printf("by hand: %.1f\n%s\n", again, ok ? "PASSED" : "FAILED");
    cudaGraphExecDestroy(exec); cudaGraphDestroy(graph); cudaStreamDestroy(stream);
    return ok ? 0 : 1;
}
