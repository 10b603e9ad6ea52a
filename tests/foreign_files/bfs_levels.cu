// Level-synchronous BFS on a grid graph in CSR, host loop until no vertex changes.
#include <climits>
#include <iostream>
#include <vector>
#include <cuda_runtime.h>

struct CsrGraph {
    int num_vertices;
    std::vector<int> row_ptr;
    std::vector<int> col_idx;
};

// Every vertex of a side x side torus has four neighbours.
CsrGraph make_torus(int side) {
    CsrGraph g;
    g.num_vertices = side * side;
    g.row_ptr.resize(g.num_vertices + 1);
    g.col_idx.resize(4 * g.num_vertices);
    for (int v = 0; v < g.num_vertices; ++v) {
        int x = v % side, y = v / side;
        g.row_ptr[v] = 4 * v;
        g.col_idx[4 * v + 0] = y * side + (x + 1) % side;
        g.col_idx[4 * v + 1] = y * side + (x + side - 1) % side;
        g.col_idx[4 * v + 2] = ((y + 1) % side) * side + x;
        g.col_idx[4 * v + 3] = ((y + side - 1) % side) * side + x;
    }
    g.row_ptr[g.num_vertices] = 4 * g.num_vertices;
    return g;
}

__global__ void bfs_kernel(const int* __restrict__ row_ptr, const int* __restrict__ col_idx, int* distance,
                           int level, int num_vertices, bool* changed) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < num_vertices && distance[v] == level) {
        for (int e = row_ptr[v]; e < row_ptr[v + 1]; ++e) {
            int w = col_idx[e];
            if (distance[w] == INT_MAX) {
                distance[w] = level + 1;
                *changed = true;
            }
        }
    }
}

int main() {
    const CsrGraph graph = make_torus(256);
    const int source = 0;
    std::vector<int> distance(graph.num_vertices, INT_MAX);
    distance[source] = 0;

    int *d_row_ptr, *d_col_idx, *d_distance;
    bool* d_changed;
    cudaMalloc(&d_row_ptr, graph.row_ptr.size() * sizeof(int));
    cudaMalloc(&d_col_idx, graph.col_idx.size() * sizeof(int));
    cudaMalloc(&d_distance, distance.size() * sizeof(int));
    cudaMalloc(&d_changed, sizeof(bool));
    cudaMemcpy(d_row_ptr, graph.row_ptr.data(), graph.row_ptr.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_col_idx, graph.col_idx.data(), graph.col_idx.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_distance, distance.data(), distance.size() * sizeof(int), cudaMemcpyHostToDevice);

    const int block_size = 256;
    const int grid_size = (graph.num_vertices + block_size - 1) / block_size;
    bool changed = true;
    int level = 0;
    while (changed) {
        changed = false;
        cudaMemcpy(d_changed, &changed, sizeof(bool), cudaMemcpyHostToDevice);
        bfs_kernel<<<grid_size, block_size>>>(d_row_ptr, d_col_idx, d_distance, level, graph.num_vertices,
                                              d_changed);
        cudaMemcpy(&changed, d_changed, sizeof(bool), cudaMemcpyDeviceToHost);
        ++level;
    }
    cudaMemcpy(distance.data(), d_distance, distance.size() * sizeof(int), cudaMemcpyDeviceToHost);
    std::cout << "levels: " << level << " distance to last: " << distance.back() << std::endl;
    cudaFree(d_row_ptr);
    cudaFree(d_col_idx);
    cudaFree(d_distance);
    cudaFree(d_changed);
}
