// Device functions, recursion through pointers, switch, early return, loops, local arrays, printf, assert, malloc.
#include <cassert>
#include <cstdio>

struct Record { char tag; double value; short parts[3]; };
__constant__ int weights[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__constant__ Record origin = {'o', 2.5, {1, 2, 3}};
__device__ int hits[4] = {1, 2};
__device__ const char* names[3] = {"north", "east", nullptr};
__device__ volatile int flag;

__device__ __noinline__ float fold(float a, float b, int steps) {
    __shared__ float board[64];
    board[threadIdx.x & 63] = a;
    __syncthreads();
    for (int i = 0; i < steps; ++i) a = fmaf(a, b, board[(threadIdx.x + i) & 63]);
    return a;
}
__device__ __noinline__ Record advance(Record r, int by) {
    r.value += by;
    r.parts[by & 1] ^= 7;
    return r;
}
__device__ float twice(float x) { return x + x; }
__device__ float square(float x) { return x * x; }
__device__ float (*choices[2])(float) = {twice, square};

__global__ void control(int* out, const int* __restrict__ in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = in[i];
    switch (v & 7) {
        case 0: v += 3;
        case 1: v *= 5; break;
        case 2: out[i] = v; return;
        case 5: v = -v; break;
        default: while (v > 100) v = (v & 1) ? 3 * v + 1 : v / 2;
    }
    if ((v > 3 && in[v & 15] < 7) || v == 11) out[i] = v % 10;
    else out[i] = v / 3;
    do { v -= weights[v & 7]; } while (v > 0 && __popc(v) != 3);
    atomicAdd(&hits[v & 3], v);
}
__global__ void records(Record* out, Record seed, int n) {
    Record local[6];
    for (int i = 0; i < 6; ++i) local[i] = advance(seed, i + n);
    out[threadIdx.x] = local[out[0].tag % 6];
    out[threadIdx.x].value += origin.value + fold(seed.parts[0], 0.5f, n);
    if (threadIdx.x == 3) printf("%s %d %f\n", names[n % 2], n, seed.value);
    assert(n < 1000);
    flag = n;
}
__global__ void __launch_bounds__(128, 4) pointers(float* data, int which) {
    data[threadIdx.x] = choices[which](data[threadIdx.x]);
    char* p = (char*)malloc(16);
    if (p) { p[0] = 1; free(p); }
}
template <int Size, class T> __global__ void tile(T* out, const T* in) {
    __shared__ T cell[Size][Size + 1];
    cell[threadIdx.y][threadIdx.x] = in[blockIdx.x * Size + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * Size + threadIdx.x] = cell[threadIdx.x][threadIdx.y];
}
template __global__ void tile<16, float>(float*, const float*);
template __global__ void tile<8, double2>(double2*, const double2*);
template __global__ void tile<32, unsigned char>(unsigned char*, const unsigned char*);
