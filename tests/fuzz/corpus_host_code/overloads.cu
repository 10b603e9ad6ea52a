#include <vector>
#include <memory>
#include <cstdio>
#include <cuda_runtime.h>
template <class T> class DeviceArray {
    T* p_ = nullptr; size_t n_ = 0;
public:
    explicit DeviceArray(size_t n) : n_(n) { cudaMalloc(&p_, n * sizeof(T)); }
    explicit DeviceArray(const std::vector<T>& v) : DeviceArray(v.size()) { cudaMemcpy(p_, v.data(), n_ * sizeof(T), cudaMemcpyHostToDevice); }
    ~DeviceArray() { cudaFree(p_); }
    T* get() { return p_; }
    const T* get() const { return p_; }
    size_t size() const { return n_; }
};
struct MatrixView { const float* data; int rows, cols, ld; };
__global__ void gemv(MatrixView A, const float* x, float* y)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < A.rows) {
        float acc = 0;
        for (int c = 0; c < A.cols; c++) acc += A.data[r * A.ld + c] * x[c];
        y[r] = acc;
    }
}
int main()
{
    int rows = 2048, cols = 500;
    int ld = (cols + 31) / 32 * 32;
    std::vector<float> a(rows * ld), x(cols);
    for (int r = 0; r < rows; ++r) for (int c = 0; c < cols; ++c) a[r * ld + c] = 1.0f / (r + c + 1);
    for (auto& v : x) v = 1.f;
    DeviceArray<float> dA(a), dx(x), dy(rows);
    MatrixView view{dA.get(), rows, cols, ld};
    int threads = 128;
    gemv<<<(rows + threads - 1) / threads, threads>>>(view, dx.get(), dy.get());
    std::vector<float> y(rows);
    cudaMemcpy(y.data(), dy.get(), rows * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%f\n", y[0]);
}
