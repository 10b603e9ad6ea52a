/*
[kernel]
title   = "Attention with a stored score matrix"
subject = "Attention"
lesson  = "Each score is written to memory, read again for the softmax and once more for the weighted sum: the n x n score matrix causes most of the traffic."
views   = ["sectors", "roofline", "source"]

[parameters]
n    = { default = 256, min = 1, max = 2048, help = "queries, keys and values" }
D    = { default = 32, values = [16, 32, 64], macro = true, help = "elements per vector" }
ROWS = { default = 64, values = [32, 64, 128], macro = true, help = "threads per block, one query each" }

[buffers]
Q = { type = "f32", length = "n * D", fill = "random", seed = "1" }
K = { type = "f32", length = "n * D", fill = "random", seed = "2" }
V = { type = "f32", length = "n * D", fill = "random", seed = "3" }
S = { type = "f32", length = "n * n", fill = "zero" }
O = { type = "f32", length = "n * D", fill = "zero" }

[launch]
arguments = ["Q", "K", "V", "S", "O", "n"]
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

// O = softmax(Q K^T / sqrt(D)) V, one query per thread. The scores of a query form a column of S, so that the
// threads of a warp write neighboring elements.
extern "C" __global__ void attention_naive(const float* Q, const float* K, const float* V, float* S, float* O,
                                           int n) {
    const int row = blockIdx.x * ROWS + threadIdx.x;
    if (row >= n) {
        return;
    }
    float query[D];
    for (int d = 0; d < D; ++d) {
        query[d] = Q[row * D + d];
    }

    float largest = -3.4e38f;
    for (int key = 0; key < n; ++key) {
        float score = 0.0f;
        for (int d = 0; d < D; ++d) {
            score += query[d] * K[key * D + d];
        }
        score *= rsqrtf(D);
        S[key * n + row] = score;
        largest = fmaxf(largest, score);
    }

    float sum = 0.0f;
    for (int key = 0; key < n; ++key) {
        const float weight = __expf(S[key * n + row] - largest);
        S[key * n + row] = weight;
        sum += weight;
    }

    float out[D] = {};
    for (int key = 0; key < n; ++key) {
        const float weight = S[key * n + row];
        for (int d = 0; d < D; ++d) {
            out[d] += weight * V[key * D + d];
        }
    }
    for (int d = 0; d < D; ++d) {
        O[row * D + d] = out[d] / sum;
    }
}
