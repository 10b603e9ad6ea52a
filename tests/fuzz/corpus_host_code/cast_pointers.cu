#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <cuda_runtime.h>
#define SOFTENING 1e-9
typedef struct { float4 *pos, *vel; } BodySystem;
template <int BLOCK>
__global__ void bodyForce(float4* p, float4* v, float dt, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) {
        float Fx = 0.0f, Fy = 0.0f, Fz = 0.0f;
        for (int tile = 0; tile < gridDim.x; tile++) {
            __shared__ float3 spos[BLOCK];
            float4 tpos = p[tile * blockDim.x + threadIdx.x];
            spos[threadIdx.x] = make_float3(tpos.x, tpos.y, tpos.z);
            __syncthreads();
            for (int j = 0; j < BLOCK; j++) {
                float dx = spos[j].x - p[i].x;
                float dy = spos[j].y - p[i].y;
                float dz = spos[j].z - p[i].z;
                float distSqr = dx * dx + dy * dy + dz * dz + SOFTENING;
                float invDist = rsqrtf(distSqr);
                float invDist3 = invDist * invDist * invDist;
                Fx += dx * invDist3; Fy += dy * invDist3; Fz += dz * invDist3;
            }
            __syncthreads();
        }
        v[i].x += dt * Fx; v[i].y += dt * Fy; v[i].z += dt * Fz;
    }
}
void randomizeBodies(float* data, int n) {
    for (int i = 0; i < n; i++) data[i] = 2.0f * (rand() / (float)RAND_MAX) - 1.0f;
}
int main(const int argc, const char** argv)
{
    int nBodies = 4096;
    if (argc > 1) nBodies = atoi(argv[1]);
    const float dt = 0.01f;
    const int nIters = 10;
    int bytes = 2 * nBodies * sizeof(float4);
    float* buf = (float*)malloc(bytes);
    BodySystem p = { (float4*)buf, ((float4*)buf) + nBodies };
    randomizeBodies(buf, 8 * nBodies);
    float* d_buf;
    cudaMalloc(&d_buf, bytes);
    BodySystem d_p = { (float4*)d_buf, ((float4*)d_buf) + nBodies };
    const int BLOCK = 256;
    int nBlocks = (nBodies + BLOCK - 1) / BLOCK;
    for (int iter = 1; iter <= nIters; iter++) {
        cudaMemcpy(d_buf, buf, bytes, cudaMemcpyHostToDevice);
        bodyForce<BLOCK><<<nBlocks, BLOCK>>>(d_p.pos, d_p.vel, dt, nBodies);
        cudaMemcpy(buf, d_buf, bytes, cudaMemcpyDeviceToHost);
        for (int i = 0; i < nBodies; i++) { p.pos[i].x += p.vel[i].x * dt; p.pos[i].y += p.vel[i].y * dt; }
    }
    free(buf); cudaFree(d_buf);
}
