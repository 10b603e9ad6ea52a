// Hash map with chains: entries of a pool are linked by the device (after "CUDA by Example").
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
struct Entry { unsigned key; int value; Entry *next; };
struct Table { size_t count; Entry **entries; Entry *pool; int *locks; };
__global__ void add(const unsigned *keys, int n, Table table) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int lane = threadIdx.x % 32;
  for (; i < n; i += blockDim.x * gridDim.x) {
    unsigned key = keys[i];
    size_t h = key % table.count;
    for (int l = 0; l < 32; l++) {
      if (l != lane) continue;
      Entry *e = &table.pool[i];
      e->key = key; e->value = i;
      while (atomicCAS(&table.locks[h], 0, 1) != 0) {}
      __threadfence();
      e->next = *(Entry *volatile *)&table.entries[h];
      *(Entry *volatile *)&table.entries[h] = e;
      __threadfence();
      atomicExch(&table.locks[h], 0);
    }
  }
}
__global__ void lookup(const unsigned *keys, int n, Table table, int *found) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  int hits = 0;
  for (const Entry *e = table.entries[keys[i] % table.count]; e; e = e->next) hits += e->key == keys[i];
  found[i] = hits;
}
int main() {
  const int n = 2000; const size_t buckets = 257;
  std::vector<unsigned> keys(n); srand(3);
  for (auto &k : keys) k = rand() % 1000;
  unsigned *dk; Table t; t.count = buckets; int *found;
  cudaMalloc(&dk, n * 4); cudaMemcpy(dk, keys.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMalloc(&t.entries, buckets * sizeof(Entry *)); cudaMemset(t.entries, 0, buckets * sizeof(Entry *));
  cudaMalloc(&t.pool, n * sizeof(Entry)); cudaMalloc(&t.locks, buckets * 4); cudaMemset(t.locks, 0, buckets * 4);
  cudaMalloc(&found, n * 4);
  add<<<8, 128>>>(dk, n, t);
  lookup<<<(n + 127) / 128, 128>>>(dk, n, t, found);
  std::vector<int> f(n); cudaMemcpy(f.data(), found, n * 4, cudaMemcpyDeviceToHost);
  std::vector<int> count(1000); for (auto k : keys) count[k]++;
  int bad = 0; for (int i = 0; i < n; i++) bad += f[i] != count[keys[i]];
  // The chains as the host copies them back: addresses are translated as the book does.
  std::vector<Entry *> heads(buckets); std::vector<Entry> pool(n);
  cudaMemcpy(heads.data(), t.entries, buckets * sizeof(Entry *), cudaMemcpyDeviceToHost);
  cudaMemcpy(pool.data(), t.pool, n * sizeof(Entry), cudaMemcpyDeviceToHost);
  int seen = 0;
  for (auto p : heads) for (; p; ) { Entry &e = pool[p - t.pool]; seen++; p = e.next; }
  printf("%d wrong, %d of %d in chains\n", bad, seen, n);
  return bad || seen != n;
}
