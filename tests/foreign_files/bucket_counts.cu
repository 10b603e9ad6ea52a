// Sample-sort helper: own bucket kernel between thrust/cub calls.
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <memory>
#include <random>

template <class T>
class DeviceArray {
public:
    explicit DeviceArray(size_t n) : size_(n) { cudaMalloc(reinterpret_cast<void**>(&ptr_), n * sizeof(T)); }
    DeviceArray(const T* src, size_t n) : DeviceArray(n) { upload(src); }
    DeviceArray(DeviceArray&& o) noexcept : ptr_(std::exchange(o.ptr_, nullptr)), size_(std::exchange(o.size_, 0)) {}
    ~DeviceArray() { if (ptr_) cudaFree(ptr_); }
    void upload(const T* src) { cudaMemcpy(ptr_, src, bytes(), cudaMemcpyHostToDevice); }
    void zero() { cudaMemset(ptr_, 0, bytes()); }
    size_t bytes() const { return size_ * sizeof(T); }
    size_t size() const { return size_; }
    T* get() { return ptr_; }
    operator T*() { return ptr_; }
private:
    T* ptr_ = nullptr;
    size_t size_ = 0;
};

constexpr int BUCKETS = 64;

__global__ void countBuckets(const unsigned* keys, int n, unsigned* counts) {
    __shared__ unsigned local[BUCKETS];
    for (int b = threadIdx.x; b < BUCKETS; b += blockDim.x) local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[keys[i] >> 26], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < BUCKETS; b += blockDim.x) atomicAdd(&counts[b], local[b]);
}

__global__ void scatter(const unsigned* keys, const unsigned* values, int n, unsigned* cursor, unsigned* outKeys,
                        unsigned* outValues) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned slot = atomicAdd(&cursor[keys[i] >> 26], 1u);
    outKeys[slot] = keys[i];
    outValues[slot] = values[i];
}

int main() {
    const int n = 100000;
    std::mt19937 gen(42);
    std::uniform_int_distribution<unsigned> dist;
    std::vector<unsigned> keys(n);
    for (auto& k : keys) k = dist(gen);

    DeviceArray<unsigned> dKeys(keys.data(), n), counts(BUCKETS);
    DeviceArray<unsigned> outKeys(n), outValues(n);
    thrust::device_vector<unsigned> values(n);
    thrust::sequence(values.begin(), values.end());
    counts.zero();

    countBuckets<<<32, 256>>>(dKeys, n, counts);

    thrust::device_vector<unsigned> cursor(BUCKETS);
    thrust::device_ptr<unsigned> c(counts.get());
    thrust::exclusive_scan(c, c + BUCKETS, cursor.begin());

    scatter<<<(n + 255) / 256, 256>>>(dKeys.get(), thrust::raw_pointer_cast(values.data()), n,
                                      thrust::raw_pointer_cast(cursor.data()), outKeys.get(), outValues.get());

    void* temp = nullptr;
    size_t tempBytes = 0;
    cub::DeviceRadixSort::SortKeys(temp, tempBytes, dKeys.get(), outKeys.get(), n);
    cudaMalloc(&temp, tempBytes);
    cub::DeviceRadixSort::SortKeys(temp, tempBytes, dKeys.get(), outKeys.get(), n);
    cudaDeviceSynchronize();
}
