#include <cuda_runtime.h>
#include <vector>
__global__ void nbody(const float4* p, float4* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = p[i];
    a[i] = make_float4(0, 0, 0, 0);
    for (int j = 0; j < n; ++j) {
        float4 o = p[j];
        float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
        float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
        float f = o.w * r * r * r;
        a[i].x += dx * f;
        a[i].y += dy * f;
        a[i].z += dz * f;
    }
}

int main() {
    const int count = 1 << 20;
    float* p0;
    cudaMalloc(&p0, count * sizeof(float));
    cudaMemset(p0, 0, count * sizeof(float));
    float* p1;
    cudaMalloc(&p1, count * sizeof(float));
    cudaMemset(p1, 0, count * sizeof(float));
    nbody<<<32, 128>>>((float4*)p0, (float4*)p1, 1024);
    return cudaDeviceSynchronize();
}
