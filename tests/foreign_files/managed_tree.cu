// Unified memory: a binary search tree with child pointers, looked up by the device.
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>
#include <set>
class Managed {
public:
  void *operator new(size_t len) { void *p; cudaMallocManaged(&p, len); cudaDeviceSynchronize(); return p; }
  void operator delete(void *p) { cudaDeviceSynchronize(); cudaFree(p); }
};
struct Node : public Managed {
  int key; int hits; Node *left, *right;
  Node(int k) : key(k), hits(0), left(nullptr), right(nullptr) {}
};
struct Tree : public Managed {
  Node *root = nullptr; int size = 0;
  void insert(int k) {
    Node **p = &root;
    while (*p) { if ((*p)->key == k) return; p = k < (*p)->key ? &(*p)->left : &(*p)->right; }
    *p = new Node(k); size++;
  }
  __host__ __device__ Node *find(int k) const {
    Node *n = root;
    while (n && n->key != k) n = k < n->key ? n->left : n->right;
    return n;
  }
};
__global__ void lookup(const Tree *tree, const int *queries, int *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Node *node = tree->find(queries[i]);
  found[i] = node != nullptr;
  if (node) atomicAdd(&node->hits, 1);
}
int main() {
  Tree *tree = new Tree;
  srand(5);
  for (int i = 0; i < 500; i++) tree->insert(rand() % 2000);
  int n = 4096, *q, *f;
  cudaMallocManaged(&q, n * sizeof(int)); cudaMallocManaged(&f, n * sizeof(int));
  for (int i = 0; i < n; i++) q[i] = rand() % 2000;
  lookup<<<(n + 127) / 128, 128>>>(tree, q, f, n);
  cudaError_t e = cudaDeviceSynchronize();
  if (e != cudaSuccess) { printf("%s\n", cudaGetErrorString(e)); return 1; }
  int bad = 0, hits = 0;
  for (int i = 0; i < n; i++) { Node *nd = tree->find(q[i]); bad += f[i] != (nd != nullptr); hits += f[i]; }
  std::vector<Node *> stack{tree->root}; int counted = 0;
  while (!stack.empty()) { Node *nd = stack.back(); stack.pop_back(); if (!nd) continue; counted += nd->hits; stack.push_back(nd->left); stack.push_back(nd->right); }
  printf("size %d hits %d counted %d bad %d\n", tree->size, hits, counted, bad);
  return bad || hits != counted;
}
