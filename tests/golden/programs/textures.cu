// Rotates an image with a texture and applies a box filter through a surface.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <helper_cuda.h>
#include <helper_functions.h>

const float angle = 0.5f;

__global__ void transformKernel(float* outputData, int width, int height, float theta, cudaTextureObject_t tex) {
    unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = x / (float)width - 0.5f;
    float v = y / (float)height - 0.5f;
    float tu = u * cosf(theta) - v * sinf(theta);
    float tv = v * cosf(theta) + u * sinf(theta);
    outputData[y * width + x] = tex2D<float>(tex, tu + 0.5f, tv + 0.5f);
}

__global__ void writeSurface(cudaSurfaceObject_t surf, const float* in, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) surf2Dwrite(in[y * width + x] * 2.0f, surf, x * 4, y);
}

__global__ void lookup(cudaTextureObject_t lut, const int* idx, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<float>(lut, idx[i]);
}

int main(int argc, char** argv) {
    int devID = findCudaDevice(argc, (const char**)argv);
    const int width = 128, height = 64, size = width * height * sizeof(float);
    float* hData = (float*)malloc(size);
    for (int i = 0; i < width * height; ++i) hData[i] = (float)(i % 97) / 97.0f;
    float* dData = NULL;
    checkCudaErrors(cudaMalloc((void**)&dData, size));
    cudaChannelFormatDesc channelDesc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaArray* cuArray;
    checkCudaErrors(cudaMallocArray(&cuArray, &channelDesc, width, height));
    checkCudaErrors(cudaMemcpy2DToArray(cuArray, 0, 0, hData, width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice));
    cudaTextureObject_t tex;
    cudaResourceDesc texRes;
    memset(&texRes, 0, sizeof(cudaResourceDesc));
    texRes.resType = cudaResourceTypeArray;
    texRes.res.array.array = cuArray;
    cudaTextureDesc texDescr;
    memset(&texDescr, 0, sizeof(cudaTextureDesc));
    texDescr.normalizedCoords = true;
    texDescr.filterMode = cudaFilterModePoint;
    texDescr.addressMode[0] = cudaAddressModeWrap;
    texDescr.addressMode[1] = cudaAddressModeWrap;
    texDescr.readMode = cudaReadModeElementType;
    checkCudaErrors(cudaCreateTextureObject(&tex, &texRes, &texDescr, NULL));
    dim3 dimBlock(8, 8, 1), dimGrid(width / dimBlock.x, height / dimBlock.y, 1);
    transformKernel<<<dimGrid, dimBlock, 0>>>(dData, width, height, angle, tex);
    checkCudaErrors(cudaDeviceSynchronize());
    StopWatchInterface* timer = NULL;
    sdkCreateTimer(&timer);
    sdkStartTimer(&timer);
    transformKernel<<<dimGrid, dimBlock, 0>>>(dData, width, height, angle, tex);
    checkCudaErrors(cudaDeviceSynchronize());
    sdkStopTimer(&timer);
    float* hOut = (float*)malloc(size);
    checkCudaErrors(cudaMemcpy(hOut, dData, size, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            float u = x / (float)width - 0.5f, v = y / (float)height - 0.5f;
            float tu = u * cosf(angle) - v * sinf(angle) + 0.5f, tv = v * cosf(angle) + u * sinf(angle) + 0.5f;
            tu -= floorf(tu); tv -= floorf(tv);
            int ix = (int)floorf(tu * width), iy = (int)floorf(tv * height);
            if (ix >= width) ix -= width;
            if (iy >= height) iy -= height;
            if (hData[iy * width + ix] != hOut[y * width + x]) ++wrong;
        }
    // surface
    cudaArray_t surfArray;
    checkCudaErrors(cudaMallocArray(&surfArray, &channelDesc, width, height, cudaArraySurfaceLoadStore));
    cudaResourceDesc surfRes{};
    surfRes.resType = cudaResourceTypeArray;
    surfRes.res.array.array = surfArray;
    cudaSurfaceObject_t surf;
    checkCudaErrors(cudaCreateSurfaceObject(&surf, &surfRes));
    checkCudaErrors(cudaMemcpy(dData, hData, size, cudaMemcpyHostToDevice));
    writeSurface<<<dimGrid, dimBlock>>>(surf, dData, width, height);
    checkCudaErrors(cudaMemcpy2DFromArray(hOut, width * sizeof(float), surfArray, 0, 0, width * sizeof(float), height, cudaMemcpyDeviceToHost));
    int wrongSurf = 0;
    for (int i = 0; i < width * height; ++i) if (hOut[i] != 2 * hData[i]) ++wrongSurf;
    // linear
    const int n = 1000;
    int hIdx[n]; float hRes[n];
    for (int i = 0; i < n; ++i) hIdx[i] = (i * 37) % (width * height);
    int* dIdx; float* dRes;
    checkCudaErrors(cudaMalloc(&dIdx, sizeof hIdx));
    checkCudaErrors(cudaMalloc(&dRes, sizeof hRes));
    checkCudaErrors(cudaMemcpy(dIdx, hIdx, sizeof hIdx, cudaMemcpyHostToDevice));
    cudaResourceDesc lin = {};
    lin.resType = cudaResourceTypeLinear;
    lin.res.linear.devPtr = dData;
    lin.res.linear.desc = cudaCreateChannelDesc<float>();
    lin.res.linear.sizeInBytes = size;
    cudaTextureDesc linDesc = {};
    linDesc.readMode = cudaReadModeElementType;
    cudaTextureObject_t lut = 0;
    checkCudaErrors(cudaCreateTextureObject(&lut, &lin, &linDesc, nullptr));
    lookup<<<(n + 255) / 256, 256>>>(lut, dIdx, dRes, n);
    checkCudaErrors(cudaMemcpy(hRes, dRes, sizeof hRes, cudaMemcpyDeviceToHost));
    int wrongLut = 0;
    for (int i = 0; i < n; ++i) if (hRes[i] != hData[hIdx[i]]) ++wrongLut;
    checkCudaErrors(cudaDestroyTextureObject(tex));
    checkCudaErrors(cudaDestroyTextureObject(lut));
    checkCudaErrors(cudaDestroySurfaceObject(surf));
    checkCudaErrors(cudaFreeArray(cuArray));
    checkCudaErrors(cudaFreeArray(surfArray));
    checkCudaErrors(cudaFree(dData));
    bool ok = wrong < 20 && wrongSurf == 0 && wrongLut == 0;
    printf("wrong %d %d %d of %d: %s\n", wrong, wrongSurf, wrongLut, width * height, ok ? "PASSED" : "FAILED");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
