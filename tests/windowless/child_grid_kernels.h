// Kernels that launch kernels, as files with a golden formula: a recursive quicksort with streams, a
// refinement of squares, a breadth-first search with tail launches, and a chain of them.
#pragma once

namespace warplens::app {

inline constexpr const char* quicksort = R"cuda(/*
[kernel]
entry = "start"
title   = "quick"
[parameters]
n = { default = 500, min = 1, max = 4096 }
[buffers]
input = { type = "i32", length = "n", fill = "random", below = "1000", seed = "3" }
data = { type = "i32", length = "n", fill = "zero" }
[launch]
arguments = ["input", "data", "n"]
grid = ["1"]
block = ["1"]
[golden.data]
lua = '''
local count, sorted, at = {}, {}, 0
for value = 0, 999 do count[value] = 0 end
for i = 0, n - 1 do count[input[i]] = count[input[i]] + 1 end
for value = 0, 999 do
    for k = 1, count[value] do sorted[at] = value; at = at + 1 end
end
return function(i) return sorted[i] end
'''
*/
__global__ void sort(int* data, int left, int right, int depth) {
    if (depth >= 16 || right - left <= 16) {
        for (int i = left; i <= right; ++i) {
            int least = i;
            for (int j = i + 1; j <= right; ++j) if (data[j] < data[least]) least = j;
            int t = data[i]; data[i] = data[least]; data[least] = t;
        }
        return;
    }
    int *l = data + left, *r = data + right;
    int pivot = data[(left + right) / 2];
    while (l <= r) {
        int a = *l, b = *r;
        while (a < pivot) { ++l; a = *l; }
        while (b > pivot) { --r; b = *r; }
        if (l <= r) { *l++ = b; *r-- = a; }
    }
    int nright = r - data, nleft = l - data;
    if (left < nright) {
        cudaStream_t s;
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        sort<<<1, 1, 0, s>>>(data, left, nright, depth + 1);
        cudaStreamDestroy(s);
    }
    if (nleft < right) {
        cudaStream_t s;
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        sort<<<1, 1, 0, s>>>(data, nleft, right, depth + 1);
        cudaStreamDestroy(s);
    }
}
extern "C" __global__ void start(const int* input, int* data, int n) {
    for (int i = 0; i < n; ++i) data[i] = input[i];
    sort<<<1, 1>>>(data, 0, n - 1, 0);
}
)cuda";

inline constexpr const char* refinement = R"cuda(/*
[kernel]
entry = "refine"
title   = "adapt"
[parameters]
side = { default = 128, min = 16, max = 512 }
step = { default = 61, min = 1, max = 512 }
[buffers]
image = { type = "i32", length = "side * side", fill = "constant", value = "-1" }
[launch]
arguments = ["image", "side", "0", "0", "side", "step", "0"]
grid = ["1"]
block = ["64"]
[golden.image]
lua = '''
return function(i) return (i % side + i // side) // step end
'''
*/
__device__ __noinline__ int level(int x, int y, int step) { return (x + y) / step; }
template <int V> __global__ void pixels(int* image, int side, int x0, int y0, int size, int step) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < size && y < size) image[(y0 + y) * side + x0 + x] = level(x0 + x, y0 + y, step) + V;
}
struct Part { int x, y, size; short value; };
__global__ void fill(int* image, int side, Part part) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < part.size * part.size; i += gridDim.x * blockDim.x)
        image[(part.y + i / part.size) * side + part.x + i % part.size] = part.value;
}
extern "C" __global__ void refine(int* image, int side, int x0, int y0, int size, int step, int depth) {
    __shared__ int least, most;
    x0 += blockIdx.x * size; y0 += blockIdx.y * size;
    if (threadIdx.x == 0) { least = 1 << 30; most = -1; }
    __syncthreads();
    for (int i = threadIdx.x; i < size; i += blockDim.x) {
        const int v[4] = {level(x0 + i, y0, step), level(x0 + i, y0 + size - 1, step), level(x0, y0 + i, step), level(x0 + size - 1, y0 + i, step)};
        for (int k = 0; k < 4; ++k) { atomicMin(&least, v[k]); atomicMax(&most, v[k]); }
    }
    __syncthreads();
    if (threadIdx.x != 0) return;
    if (least == most) fill<<<(size * size + 255) / 256, 256>>>(image, side, Part{x0, y0, size, (short)least});
    else if (size <= 16) pixels<0><<<dim3((size + 7) / 8, (size + 7) / 8), dim3(8, 8)>>>(image, side, x0, y0, size, step);
    else refine<<<dim3(2, 2), blockDim.x, 0, cudaStreamFireAndForget>>>(image, side, x0, y0, size / 2, step, depth + 1);
}
)cuda";

inline constexpr const char* search = R"cuda(/*
[kernel]
entry = "level"
title   = "bfs"
[parameters]
n = { default = 300, min = 2, max = 4096 }
degree = { default = 5, min = 1, max = 64 }
[buffers]
edges = { type = "i32", length = "n * degree", fill = "random", below = "n", seed = "9" }
distance = { type = "i32", length = "n", fill = "constant", value = "-1" }
[launch]
arguments = ["edges", "distance", "n", "degree", "0"]
grid = ["ceil_div(n, 64)"]
block = ["64"]
[golden.distance]
lua = '''
local d = {}
for i = 0, n - 1 do d[i] = -1 end
d[0] = 0
local queue, at = {0}, 1
while at <= #queue do
    local v = queue[at]; at = at + 1
    for k = 0, degree - 1 do
        local w = edges[v * degree + k]
        if d[w] < 0 then d[w] = d[v] + 1; queue[#queue + 1] = w end
    end
end
return function(i) return d[i] end
'''
*/
__device__ int found, finished;
__global__ void relax(const int* row, int degree, int* distance, int next) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < degree && atomicCAS(&distance[row[k]], -1, next) == -1) atomicAdd(&found, 1);
}
__global__ void next(const int* edges, int* distance, int n, int degree, int depth);
extern "C" __global__ void level(const int* edges, int* distance, int n, int degree, int depth) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (depth == 0 && v == 0) distance[0] = 0;
    if (v < n && (distance[v] == depth || (depth == 0 && v == 0)))
        relax<<<1, ((degree + 31) / 32) * 32>>>(edges + v * degree, degree, distance, depth + 1);
    if (v == 0) next<<<1, 1, 0, cudaStreamTailLaunch>>>(edges, distance, n, degree, depth + 1);
}
__global__ void next(const int* edges, int* distance, int n, int degree, int depth) {
    if (found == 0) return;
    found = 0;
    level<<<(n + 63) / 64, 64, 0, cudaStreamTailLaunch>>>(edges, distance, n, degree, depth);
}
)cuda";

inline constexpr const char* chain = R"cuda(/*
[kernel]
entry = "step"
title   = "chain"
[parameters]
n = { default = 100, min = 1, max = 60000 }
[buffers]
data = { type = "i32", length = "2", fill = "zero" }
[launch]
arguments = ["data", "n"]
grid = ["1"]
block = ["32"]
[golden.data]
lua = '''
return function(i) return i == 0 and n * 32 or n * (n + 1) // 2 end
'''
*/
extern "C" __global__ void step(int* data, int left) {
    atomicAdd(data, 1);
    if (threadIdx.x == 0) {
        atomicAdd(data + 1, left);
        if (left > 1) step<<<1, 32, 0, cudaStreamTailLaunch>>>(data, left - 1);
    }
}
)cuda";

}  // namespace warplens::app
