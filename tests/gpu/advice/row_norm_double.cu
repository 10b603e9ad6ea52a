#include <cuda_runtime.h>
#include <vector>
// Row norms of a matrix, a thread a row; and points counted by quadrant.
__global__ void rowNorm(const double *A, double *norm, int rows, int cols) {
    const int r = blockDim.x * blockIdx.x + threadIdx.x;
    if (r < rows) {
        double s = 0.0;
        for (int c = 0; c < cols; ++c) {
            double v = A[r * cols + c];
            s += v * v;
        }
        double root = sqrt(s);
        norm[r] = root;
    }
}
int main() {
    const int rows = 4096, cols = 128;
    std::vector<double> h(rows * cols);
    for (int i = 0; i < rows * cols; i++) h[i] = (i % 97) * 0.123;
    double *a, *o;
    cudaMalloc(&a, rows * cols * sizeof(double));
    cudaMalloc(&o, rows * sizeof(double));
    cudaMemcpy(a, h.data(), rows * cols * sizeof(double), cudaMemcpyHostToDevice);
    dim3 threads(64);
    dim3 blocks((rows + 63) / 64);
    rowNorm<<<blocks, threads>>>(a, o, rows, cols);
    cudaDeviceSynchronize();
}
