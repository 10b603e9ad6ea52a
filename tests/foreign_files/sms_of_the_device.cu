__global__ void stride(const float* a, float* b, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) b[i] = a[i] + 1;
}
int main() {
    int n = 1 << 20, device = 0, sms = 0;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    float *a, *b;
    cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float));
    stride<<<4 * sms, 256>>>(a, b, n);
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    stride<<<prop.multiProcessorCount * 2, 256>>>(a, b, n);
    int per = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, stride, 256, 0);
    stride<<<per * sms, 256>>>(a, b, n);
}
