/*
[kernel]
title   = "Attention tile by tile"
subject = "Attention"
lesson  = "A block keeps a tile of keys and values in shared memory and rescales its sums when a larger score appears: no score goes to global memory."
views   = ["sectors", "banks", "roofline"]

[parameters]
n    = { default = 256, min = 1, max = 2048, help = "queries, keys and values" }
D    = { default = 32, values = [16, 32, 64], macro = true, help = "elements per vector" }
ROWS = { default = 64, values = [32, 64, 128], macro = true, help = "threads per block, one query each" }
KEYS = { default = 32, values = [8, 16, 32, 64], macro = true, help = "keys and values per tile" }

[buffers]
Q = { type = "f32", length = "n * D", fill = "random", seed = "1" }
K = { type = "f32", length = "n * D", fill = "random", seed = "2" }
V = { type = "f32", length = "n * D", fill = "random", seed = "3" }
O = { type = "f32", length = "n * D", fill = "zero" }

[launch]
arguments = ["Q", "K", "V", "O", "n"]
grid  = ["ceil_div(n, ROWS)"]
block = ["ROWS"]
dynamic_shared_bytes = "0"

[golden.O]
tolerance = 1e-4
lua = '''
local weights, total, row_of = {}, 0.0, -1
local function weigh(row)
    local scores, largest = {}, -math.huge
    for key = 0, n - 1 do
        local score = 0.0
        for d = 0, D - 1 do
            score = score + Q[row * D + d] * K[key * D + d]
        end
        scores[key] = score / math.sqrt(D)
        largest = math.max(largest, scores[key])
    end
    weights, total, row_of = {}, 0.0, row
    for key = 0, n - 1 do
        weights[key] = math.exp(scores[key] - largest)
        total = total + weights[key]
    end
end
return function(i)
    local row, column = i // D, i % D
    if row ~= row_of then weigh(row) end
    local out = 0.0
    for key = 0, n - 1 do
        out = out + weights[key] * V[key * D + column]
    end
    return out / total
end
'''
*/
#ifndef D
#define D 32
#endif
#ifndef ROWS
#define ROWS 64
#endif
#ifndef KEYS
#define KEYS 32
#endif

// O = softmax(Q K^T / sqrt(D)) V in one loop over the keys. `largest`, `sum` and `out` hold the result for
// the keys so far. When a tile contains a larger score, the previous sums are scaled down.
extern "C" __global__ void attention_tiled(const float* Q, const float* K, const float* V, float* O, int n) {
    __shared__ float key_tile[KEYS][D], value_tile[KEYS][D];
    const int row = blockIdx.x * ROWS + threadIdx.x;

    float query[D], out[D] = {};
    for (int d = 0; d < D; ++d) {
        query[d] = row < n ? Q[row * D + d] : 0.0f;
    }
    float largest = -3.4e38f, sum = 0.0f;

    for (int first = 0; first < n; first += KEYS) {
        __syncthreads();  // all threads are done with the previous tiles
        for (int i = threadIdx.x; i < KEYS * D; i += ROWS) {
            const int key = first + i / D;
            key_tile[i / D][i % D] = key < n ? K[key * D + i % D] : 0.0f;
            value_tile[i / D][i % D] = key < n ? V[key * D + i % D] : 0.0f;
        }
        __syncthreads();  // both tiles are complete

        const int keys = min(KEYS, n - first);
        for (int key = 0; key < keys; ++key) {
            float score = 0.0f;
            for (int d = 0; d < D; ++d) {
                score += query[d] * key_tile[key][d];
            }
            score *= rsqrtf(D);
            const float larger = fmaxf(largest, score);
            const float correction = __expf(largest - larger), weight = __expf(score - larger);
            sum = sum * correction + weight;
            for (int d = 0; d < D; ++d) {
                out[d] = out[d] * correction + weight * value_tile[key][d];
            }
            largest = larger;
        }
    }

    if (row < n) {
        for (int d = 0; d < D; ++d) {
            O[row * D + d] = out[d] / sum;
        }
    }
}
