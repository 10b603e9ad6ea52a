// Vector addition with the CUDA Driver API.
#include <cuda.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <string>
#define checkCudaErrors(err) __checkCudaErrors(err, __FILE__, __LINE__)
static void __checkCudaErrors(CUresult err, const char* file, const int line) {
    if (CUDA_SUCCESS != err) {
        const char* errorStr = NULL;
        cuGetErrorString(err, &errorStr);
        fprintf(stderr, "checkCudaErrors() Driver API error = %04d \"%s\" from file <%s>, line %i.\n", err, errorStr, file, line);
        exit(EXIT_FAILURE);
    }
}
extern "C" __global__ void VecAdd_kernel(const float* A, const float* B, float* C, int N) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < N) C[i] = A[i] + B[i];
}
extern "C" __global__ void scale_kernel(float* C, float f, int N) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < N) C[i] *= f;
}
int main(int argc, char** argv) {
    int N = 50000, devID = 0, count = 0;
    size_t size = N * sizeof(float);
    checkCudaErrors(cuInit(0));
    checkCudaErrors(cuDeviceGetCount(&count));
    CUdevice cuDevice; CUcontext cuContext; CUmodule cuModule; CUfunction vecAdd, scale;
    checkCudaErrors(cuDeviceGet(&cuDevice, devID));
    char name[256]; int major = 0, minor = 0;
    checkCudaErrors(cuDeviceGetName(name, 256, cuDevice));
    checkCudaErrors(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, cuDevice));
    checkCudaErrors(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, cuDevice));
    printf("Device %s has compute capability %d.%d\n", name, major, minor);
    checkCudaErrors(cuCtxCreate(&cuContext, 0, cuDevice));
    checkCudaErrors(cuModuleLoad(&cuModule, "vectorAdd_kernel64.fatbin"));
    checkCudaErrors(cuModuleGetFunction(&vecAdd, cuModule, "VecAdd_kernel"));
    checkCudaErrors(cuModuleGetFunction(&scale, cuModule, "scale_kernel"));
    std::vector<float> a(N), b(N), c(N);
    for (int i = 0; i < N; ++i) a[i] = i * 0.5f, b[i] = i * 0.25f;
    CUdeviceptr dA, dB, dC;
    checkCudaErrors(cuMemAlloc(&dA, size));
    checkCudaErrors(cuMemAlloc(&dB, size));
    checkCudaErrors(cuMemAlloc(&dC, size));
    checkCudaErrors(cuMemcpyHtoD(dA, a.data(), size));
    checkCudaErrors(cuMemcpyHtoD(dB, b.data(), size));
    int threads = 256, blocks = (N + threads - 1) / threads;
    void* args[] = {&dA, &dB, &dC, &N};
    checkCudaErrors(cuLaunchKernel(vecAdd, blocks, 1, 1, threads, 1, 1, 0, NULL, args, NULL));
    checkCudaErrors(cuCtxSynchronize());
    float f = 2.0f;
    void* args2[] = {&dC, &f, &N};
    checkCudaErrors(cuLaunchKernel(scale, blocks, 1, 1, threads, 1, 1, 0, NULL, args2, NULL));
    checkCudaErrors(cuMemcpyDtoH(c.data(), dC, size));
    int i;
    for (i = 0; i < N; ++i) if (c[i] != 2 * (a[i] + b[i])) break;
    checkCudaErrors(cuMemFree(dA)); checkCudaErrors(cuMemFree(dB)); checkCudaErrors(cuMemFree(dC));
    checkCudaErrors(cuModuleUnload(cuModule));
    checkCudaErrors(cuCtxDestroy(cuContext));
    printf("%s\n", i == N ? "Result = PASS" : "Result = FAIL");
    return i == N ? 0 : 1;
}
