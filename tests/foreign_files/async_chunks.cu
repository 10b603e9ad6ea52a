// Overlap copies and kernels: N chunks over S streams with pinned memory and events.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <assert.h>
#include <cuda_runtime.h>

#define NUM_STREAMS 4
#define CHUNKS_PER_STREAM 4

typedef float real;

inline cudaError_t checkCuda(cudaError_t result) {
  if (result != cudaSuccess) {
    fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
    assert(result == cudaSuccess);
  }
  return result;
}

extern "C" __global__ void polar(const real *__restrict__ re, const real *__restrict__ im, real *mag, real *phase, int offset, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    real a = re[offset + i], b = im[offset + i];
    mag[offset + i] = sqrtf(a * a + b * b);
    phase[offset + i] = atan2f(b, a);
  }
}

extern "C" __global__ void smooth(const real *in, real *out, int offset, int count, int total) {
  extern __shared__ real tile[];
  int i = offset + blockIdx.x * blockDim.x + threadIdx.x;
  int l = threadIdx.x + 1;
  tile[l] = i < total ? in[i] : 0.0f;
  if (threadIdx.x == 0) tile[0] = i > 0 ? in[i - 1] : in[i];
  if (threadIdx.x == blockDim.x - 1) tile[l + 1] = i + 1 < total ? in[i + 1] : in[i];
  __syncthreads();
  if (i < offset + count) out[i] = (tile[l - 1] + tile[l] + tile[l + 1]) / 3.0f;
}

int main(int argc, char *argv[]) {
  const int blockSize = 256;
  const int chunk = 1 << 15;
  const int n = NUM_STREAMS * CHUNKS_PER_STREAM * chunk;
  const size_t bytes = n * sizeof(real), chunkBytes = chunk * sizeof(real);
  int devId = 0;
  if (argc > 1) devId = atoi(argv[1]);
  cudaDeviceProp prop;
  checkCuda(cudaGetDeviceProperties(&prop, devId));
  checkCuda(cudaSetDevice(devId));

  real *h_re, *h_im, *h_out, *d_re, *d_im, *d_mag, *d_phase, *d_out;
  checkCuda(cudaMallocHost((void **)&h_re, bytes));
  checkCuda(cudaMallocHost((void **)&h_im, bytes));
  checkCuda(cudaHostAlloc((void **)&h_out, bytes, cudaHostAllocDefault));
  checkCuda(cudaMalloc((void **)&d_re, bytes));
  checkCuda(cudaMalloc((void **)&d_im, bytes));
  checkCuda(cudaMalloc((void **)&d_mag, bytes));
  checkCuda(cudaMalloc((void **)&d_phase, bytes));
  checkCuda(cudaMalloc((void **)&d_out, bytes));
  for (int i = 0; i < n; ++i) {
    h_re[i] = cosf(0.001f * i);
    h_im[i] = sinf(0.001f * i);
  }
  cudaStream_t streams[NUM_STREAMS];
  cudaEvent_t begin, end, done[NUM_STREAMS];
  checkCuda(cudaEventCreate(&begin));
  checkCuda(cudaEventCreate(&end));
  for (int s = 0; s < NUM_STREAMS; ++s) {
    checkCuda(cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking));
    checkCuda(cudaEventCreateWithFlags(&done[s], cudaEventDisableTiming));
  }
  checkCuda(cudaEventRecord(begin, 0));
  for (int c = 0; c < CHUNKS_PER_STREAM; ++c)
    for (int s = 0; s < NUM_STREAMS; ++s) {
      int offset = (c * NUM_STREAMS + s) * chunk;
      checkCuda(cudaMemcpyAsync(&d_re[offset], &h_re[offset], chunkBytes, cudaMemcpyHostToDevice, streams[s]));
      checkCuda(cudaMemcpyAsync(&d_im[offset], &h_im[offset], chunkBytes, cudaMemcpyHostToDevice, streams[s]));
      polar<<<chunk / blockSize, blockSize, 0, streams[s]>>>(d_re, d_im, d_mag, d_phase, offset, chunk);
      smooth<<<chunk / blockSize, blockSize, (blockSize + 2) * sizeof(real), streams[s]>>>(d_mag, d_out, offset, chunk, n);
      checkCuda(cudaMemcpyAsync(&h_out[offset], &d_out[offset], chunkBytes, cudaMemcpyDeviceToHost, streams[s]));
      checkCuda(cudaEventRecord(done[s], streams[s]));
    }
  for (int s = 0; s < NUM_STREAMS; ++s) checkCuda(cudaStreamWaitEvent(0, done[s], 0));
  checkCuda(cudaEventRecord(end, 0));
  checkCuda(cudaEventSynchronize(end));
  float ms;
  checkCuda(cudaEventElapsedTime(&ms, begin, end));
  printf("%f ms\n", ms);
  return 0;
}
