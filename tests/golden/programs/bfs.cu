#include <cuda_runtime.h>
#include <stdio.h>
#include <queue>
#include <vector>
#include <random>
#include <algorithm>

static void HandleError(cudaError_t err, const char* file, int line) {
    if (err != cudaSuccess) { printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line); exit(EXIT_FAILURE); }
}
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))

struct Graph { int* offsets; int* edges; int numVertices; int numEdges; };
struct Frontier { int* items; int* count; };

__device__ int g_edgesVisited;

__global__ void bfsLevel(Graph g, Frontier cur, Frontier next, int* dist, int level) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= *cur.count) return;
    int v = cur.items[i];
    for (int e = g.offsets[v]; e < g.offsets[v + 1]; ++e) {
        int w = g.edges[e];
        if (atomicCAS(&dist[w], -1, level + 1) == -1) next.items[atomicAdd(next.count, 1)] = w;
    }
    atomicAdd(&g_edgesVisited, g.offsets[v + 1] - g.offsets[v]);
}
__global__ void fill(int* p, int v, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p[i] = v; }

template <class T> T* managed(size_t n) { T* p = nullptr; HANDLE_ERROR(cudaMallocManaged(&p, n * sizeof(T))); return p; }

int main(int argc, char* argv[]) {
    int V = argc > 1 ? atoi(argv[1]) : 3000, deg = 6;
    std::mt19937 gen(42);
    std::uniform_int_distribution<int> pick(0, V - 1);
    std::vector<std::vector<int>> adj(V);
    for (int v = 0; v < V; ++v) for (int k = 0; k < deg; ++k) adj[v].push_back(pick(gen));
    Graph g; g.numVertices = V; g.numEdges = V * deg;
    g.offsets = managed<int>(V + 1); g.edges = managed<int>(g.numEdges);
    int at = 0;
    for (int v = 0; v < V; ++v) { g.offsets[v] = at; for (int w : adj[v]) g.edges[at++] = w; }
    g.offsets[V] = at;
    Frontier cur{managed<int>(V), managed<int>(1)}, next{managed<int>(V), managed<int>(1)};
    int* dist = managed<int>(V);
    int device = 0;
    HANDLE_ERROR(cudaGetDevice(&device));
    cudaMemPrefetchAsync(dist, V * sizeof(int), device, NULL);
    fill<<<32, 128>>>(dist, -1, V);
    HANDLE_ERROR(cudaDeviceSynchronize());
    int zero = 0;
    HANDLE_ERROR(cudaMemcpyToSymbol(g_edgesVisited, &zero, sizeof(int)));
    dist[0] = 0; cur.items[0] = 0; *cur.count = 1;
    int level = 0;
    while (*cur.count > 0) {
        *next.count = 0;
        bfsLevel<<<(*cur.count + 127) / 128, 128>>>(g, cur, next, dist, level);
        HANDLE_ERROR(cudaGetLastError());
        HANDLE_ERROR(cudaDeviceSynchronize());
        std::swap(cur, next);
        ++level;
    }
    int visited;
    HANDLE_ERROR(cudaMemcpyFromSymbol(&visited, g_edgesVisited, sizeof(int)));
    std::vector<int> ref(V, -1); std::queue<int> q; q.push(0); ref[0] = 0; int reached = 1;
    while (!q.empty()) { int v = q.front(); q.pop(); for (int w : adj[v]) if (ref[w] < 0) { ref[w] = ref[v] + 1; ++reached; q.push(w); } }
    bool ok = std::equal(ref.begin(), ref.end(), dist) && visited == reached * deg;
    printf("levels %d reached %d edges %d (expected %d) %s\n", level, reached, visited, reached * deg, ok ? "PASSED" : "FAILED");
    cudaFree(g.offsets); cudaFree(g.edges);
    return !ok;
}
