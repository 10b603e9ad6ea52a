/*
 * Graph coloring, Jones-Plassmann. CSR from a generated grid graph. Uses getopt, cudaMemcpyToSymbol, cub::DeviceSelect,
 * convergence flag in mapped host memory, macro launch wrappers.
 */
#include <cstdio>
#include <cstdlib>
#include <getopt.h>
#include <vector>
#include <cub/device/device_select.cuh>
#include <cub/device/device_reduce.cuh>
#include <cuda_runtime.h>
#define GRID(n, b) (((n) + (b) - 1) / (b))
#define RUN_1D(kernel, n, stream, ...) kernel<<<GRID(n, 128), 128, 0, stream>>>(__VA_ARGS__)
__constant__ int c_nodes;
__device__ unsigned hash(unsigned x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; return x ^ x >> 16; }
__global__ void color_step(const int *__restrict__ offs, const int *__restrict__ adj, int *color, int round, volatile int *changed) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= c_nodes || color[v] >= 0) return;
  unsigned mine = hash(v);
  bool best = true;
  for (int e = offs[v]; e < offs[v + 1]; e++) {
    int w = adj[e], cw = color[w];
    if (cw >= 0 && cw != round) continue;
    unsigned h = hash(w);
    if (h > mine || (h == mine && w > v)) { best = false; break; }
  }
  if (best) color[v] = round;
  else *changed = 1;
}
__global__ void verify(const int *offs, const int *adj, const int *color, int *bad) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= c_nodes) return;
  for (int e = offs[v]; e < offs[v + 1]; e++) if (color[v] == color[adj[e]] || color[v] < 0) atomicAdd(bad, 1);
}
struct IsFirst { __host__ __device__ bool operator()(int c) const { return c == 0; } };
int main(int argc, char **argv) {
  int side = 40, opt;
  while ((opt = getopt(argc, argv, "s:h")) != -1) switch (opt) { case 's': side = atoi(optarg); break; default: fprintf(stderr, "usage\n"); return 2; }
  int n = side * side;
  std::vector<int> offs{0}, adj;
  for (int y = 0; y < side; y++) for (int x = 0; x < side; x++) {
    for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) { int xx = x + dx, yy = y + dy; if ((dx || dy) && xx >= 0 && yy >= 0 && xx < side && yy < side) adj.push_back(yy * side + xx); }
    offs.push_back(adj.size());
  }
  int *d_offs, *d_adj, *d_color, *d_bad, *d_first, *d_num, *changed, *d_changed, *d_max;
  cudaMalloc(&d_offs, offs.size() * sizeof(int)); cudaMalloc(&d_adj, adj.size() * sizeof(int)); cudaMalloc(&d_color, n * sizeof(int));
  cudaMalloc(&d_bad, 4); cudaMalloc(&d_first, n * sizeof(int)); cudaMalloc(&d_num, 4); cudaMalloc(&d_max, 4);
  cudaSetDeviceFlags(cudaDeviceMapHost);
  cudaHostAlloc((void **)&changed, sizeof(int), cudaHostAllocMapped); cudaHostGetDevicePointer((void **)&d_changed, changed, 0);
  cudaMemcpy(d_offs, offs.data(), offs.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_adj, adj.data(), adj.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_color, 0xff, n * sizeof(int)); cudaMemset(d_bad, 0, 4);
  cudaMemcpyToSymbol(c_nodes, &n, sizeof(int));
  cudaStream_t s; cudaStreamCreate(&s);
  int round = 0;
  do { *changed = 0; RUN_1D(color_step, n, s, d_offs, d_adj, d_color, round, d_changed); cudaStreamSynchronize(s); round++; } while (*changed && round < 200);
  RUN_1D(verify, n, s, d_offs, d_adj, d_color, d_bad);
  size_t bytes = 0; void *tmp = nullptr;
  cub::DeviceSelect::If(tmp, bytes, d_color, d_first, d_num, n, IsFirst{}, s); cudaMalloc(&tmp, bytes);
  cub::DeviceSelect::If(tmp, bytes, d_color, d_first, d_num, n, IsFirst{}, s);
  cudaFree(tmp); tmp = nullptr;
  cub::DeviceReduce::Max(tmp, bytes, d_color, d_max, n, s); cudaMalloc(&tmp, bytes); cub::DeviceReduce::Max(tmp, bytes, d_color, d_max, n, s);
  int bad, num, mx; cudaMemcpyAsync(&bad, d_bad, 4, cudaMemcpyDeviceToHost, s); cudaMemcpyAsync(&num, d_num, 4, cudaMemcpyDeviceToHost, s); cudaMemcpyAsync(&mx, d_max, 4, cudaMemcpyDeviceToHost, s); cudaStreamSynchronize(s);
  printf("rounds %d colors %d first %d bad %d\n", round, mx + 1, num, bad);
  return bad || mx + 1 > round || num < 1;
}
