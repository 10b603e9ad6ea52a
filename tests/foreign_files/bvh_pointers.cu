// BVH with child pointers in managed memory, a scene behind a device variable.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
#include <algorithm>
struct Node { float lo, hi; Node *left, *right; int first, count; };
struct Scene { Node *root; const float *x; int n; };
__device__ Scene *scene;
__constant__ const float *offsets;
static Node *build(std::vector<float> &x, int first, int count) {
  Node *node; cudaMallocManaged(&node, sizeof(Node));
  node->lo = x[first]; node->hi = x[first + count - 1]; node->left = node->right = nullptr;
  node->first = first; node->count = count;
  if (count > 4) { int half = count / 2; node->left = build(x, first, half); node->right = build(x, first + half, count - half); node->count = 0; }
  return node;
}
__global__ void within(const float *q, int *out, float radius, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float c = q[i] + offsets[i % 4];
  const Node *stack[32]; int top = 0, hits = 0;
  stack[top++] = scene->root;
  while (top) {
    const Node *node = stack[--top];
    if (node->lo > c + radius || node->hi < c - radius) continue;
    if (node->count) { for (int k = 0; k < node->count; k++) { float x = scene->x[node->first + k]; hits += x >= c - radius && x <= c + radius; } }
    else { stack[top++] = node->left; stack[top++] = node->right; }
  }
  out[i] = hits;
}
int main() {
  const int n = 300, m = 500;
  std::vector<float> x(n), q(m), off{0.f, .25f, .5f, .75f};
  for (int i = 0; i < n; i++) x[i] = (i * 37 % 301) * 0.1f;
  std::sort(x.begin(), x.end());
  for (int i = 0; i < m; i++) q[i] = (i * 13 % 300) * 0.1f;
  Scene h, *d; h.root = build(x, 0, n); h.n = n;
  float *dx, *dq, *doff; int *out;
  cudaMalloc(&dx, n * 4); cudaMemcpy(dx, x.data(), n * 4, cudaMemcpyHostToDevice); h.x = dx;
  cudaMalloc(&d, sizeof h); cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(scene, &d, sizeof d);
  cudaMalloc(&doff, 16); cudaMemcpy(doff, off.data(), 16, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(offsets, &doff, sizeof doff);
  cudaMalloc(&dq, m * 4); cudaMemcpy(dq, q.data(), m * 4, cudaMemcpyHostToDevice);
  cudaMalloc(&out, m * 4);
  within<<<(m + 63) / 64, 64>>>(dq, out, 0.7f, m);
  std::vector<int> o(m); cudaMemcpy(o.data(), out, m * 4, cudaMemcpyDeviceToHost);
  int bad = 0, all = 0;
  for (int i = 0; i < m; i++) { int hits = 0; float c = q[i] + off[i % 4]; for (float v : x) hits += v >= c - 0.7f && v <= c + 0.7f; bad += hits != o[i]; all += hits; }
  printf("%d wrong of %d hits\n", bad, all);
  return bad != 0;
}
