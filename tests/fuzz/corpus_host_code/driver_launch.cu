extern "C" __global__ void k(const int* in, int* out, int n) {}
int main() {
    const int n = 512;
    CUfunction fn; CUdeviceptr a, b;
    int h[512];
    for (int i = 0; i < n; ++i) h[i] = i * 3;
    cuModuleGetFunction(&fn, mod, "k");
    cuMemAlloc_v2(&a, n * sizeof(int)); cuMemAlloc(&b, n * 4);
    cuMemcpyHtoDAsync(a, h, n * 4, s); cuMemsetD32(b, 0x3f800000, n); cuMemsetD16(b, 0, n * 2);
    int count = n;
    void* args[] = {&a, &b, &count};
    cuLaunchKernel(fn, (n + 255) / 256, 1, 1, 256, 1, 1, 256 * sizeof(int), 0, args, nullptr);
}
