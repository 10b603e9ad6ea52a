#include <iostream>
#include <random>
#include <vector>

template <typename Index, typename Real>
__global__ void spmv_csr(Index rows, const Index* offsets, const Index* columns, const Real* values, const Real* x,
                         Real* y) {
    const Index row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    Real sum = 0;
    for (Index k = offsets[row]; k < offsets[row + 1]; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
}

template <typename T>
T* to_device(const std::vector<T>& host) {
    T* device = nullptr;
    cudaMalloc(&device, host.size() * sizeof(T));
    cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

int main() {
    const int rows = 4096, per_row = 8;
    std::vector<int> offsets(rows + 1), columns(rows * per_row);
    std::vector<float> values(rows * per_row, 1.0f), x(rows, 2.0f);
    std::mt19937 engine{42};
    std::uniform_int_distribution<int> column(0, rows - 1);
    for (int r = 0; r <= rows; ++r) offsets[r] = r * per_row;
    for (auto& c : columns) c = column(engine);

    int* d_offsets = to_device(offsets);
    int* d_columns = to_device(columns);
    float* d_values = to_device(values);
    float* d_x = to_device(x);
    float* d_y;
    cudaMalloc(&d_y, rows * sizeof(float));
    spmv_csr<<<rows / 128, 128>>>(rows, d_offsets, d_columns, d_values, d_x, d_y);
    std::vector<float> y(rows);
    cudaMemcpy(y.data(), d_y, rows * sizeof(float), cudaMemcpyDeviceToHost);
    std::cout << y[0] << '\n';
}
