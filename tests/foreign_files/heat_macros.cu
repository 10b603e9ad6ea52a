/* heat3d in old C style */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <cuda_runtime.h>
#define NX 48
#define NY 32
#define NZ 24
#define IDX(x,y,z) ((z)*NY*NX + (y)*NX + (x))
#define BYTES (NX*NY*NZ*sizeof(float))
#define CUDA_CALL(x) { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "CUDA error %s at %d\n", cudaGetErrorName(e), __LINE__); exit(-1); } }
#define SWAP(T,a,b) { T t_ = a; a = b; b = t_; }
#define LAUNCH(k, g, b, ...) do { k<<<(g), (b)>>>(__VA_ARGS__); CUDA_CALL(cudaPeekAtLastError()); nlaunches++; } while (0)

typedef struct { float alpha; float dt; float inv_h2; int periodic; } params_t;
__constant__ params_t P;
static int nlaunches = 0;

__global__ void step(const float *u, float *v)
{
    int x = blockIdx.x*blockDim.x + threadIdx.x, y = blockIdx.y*blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x >= NX || y >= NY) return;
    int xm = x ? x-1 : (P.periodic ? NX-1 : 0), xp = x < NX-1 ? x+1 : (P.periodic ? 0 : NX-1);
    int ym = y ? y-1 : (P.periodic ? NY-1 : 0), yp = y < NY-1 ? y+1 : (P.periodic ? 0 : NY-1);
    int zm = z ? z-1 : (P.periodic ? NZ-1 : 0), zp = z < NZ-1 ? z+1 : (P.periodic ? 0 : NZ-1);
    float c = u[IDX(x,y,z)];
    float lap = u[IDX(xm,y,z)] + u[IDX(xp,y,z)] + u[IDX(x,ym,z)] + u[IDX(x,yp,z)] + u[IDX(x,y,zm)] + u[IDX(x,y,zp)] - 6.0f*c;
    v[IDX(x,y,z)] = c + P.alpha*P.dt*P.inv_h2*lap;
}

__global__ void total(const float *u, double *sum, int n)
{
    double s = 0;
    for (int i = blockIdx.x*blockDim.x + threadIdx.x; i < n; i += gridDim.x*blockDim.x) s += u[i];
    atomicAdd(sum, s);
}

static void initial(float *h)
{
    int x, y, z;
    for (z = 0; z < NZ; z++) for (y = 0; y < NY; y++) for (x = 0; x < NX; x++)
        h[IDX(x,y,z)] = (x > NX/4 && x < 3*NX/4 && y > NY/4 && y < 3*NY/4) ? 100.0f : 0.0f;
}

int main(void)
{
    float *h = (float *)malloc(BYTES), *u, *v;
    double *dsum, before, after;
    params_t p = { 0.5f, 0.1f, 1.0f, 1 };
    dim3 block(16, 8), grid((NX+15)/16, (NY+7)/8, NZ);
    int t;
    initial(h);
    CUDA_CALL(cudaMalloc((void **)&u, BYTES));
    CUDA_CALL(cudaMalloc((void **)&v, BYTES));
    CUDA_CALL(cudaMalloc((void **)&dsum, sizeof(double)));
    CUDA_CALL(cudaMemcpyToSymbol(P, &p, sizeof p));
    CUDA_CALL(cudaMemcpy(u, h, BYTES, cudaMemcpyHostToDevice));
    CUDA_CALL(cudaMemset(dsum, 0, sizeof(double)));
    LAUNCH(total, 8, 256, u, dsum, NX*NY*NZ);
    CUDA_CALL(cudaMemcpy(&before, dsum, sizeof before, cudaMemcpyDeviceToHost));
    for (t = 0; t < 20; t++) { LAUNCH(step, grid, block, u, v); SWAP(float *, u, v) }
    CUDA_CALL(cudaMemset(dsum, 0, sizeof(double)));
    LAUNCH(total, 8, 256, u, dsum, NX*NY*NZ);
    CUDA_CALL(cudaMemcpy(&after, dsum, sizeof after, cudaMemcpyDeviceToHost));
    printf("before %.1f after %.1f, %d launches\n", before, after, nlaunches);
    return fabs(before - after) > 1e-3*before;
}
