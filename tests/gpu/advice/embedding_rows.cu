#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void embedding_lookup(const int* tokens, const float* table, float* out, int num_tokens, int dim) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < num_tokens) {
        int token = tokens[t];
        for (int d = 0; d < dim; d++) {
            out[t * dim + d] = table[token * dim + d];
        }
    }
}

int main() {
    const int num_tokens = 16384, vocab = 2000, dim = 128;
    std::vector<int> tokens(num_tokens);
    std::vector<float> table(vocab * dim);
    for (int i = 0; i < num_tokens; i++) tokens[i] = (i * 7919) % vocab;
    for (int i = 0; i < vocab * dim; i++) table[i] = 0.001f * i;
    int* d_tokens;
    float *d_table, *d_out;
    cudaMalloc(&d_tokens, num_tokens * sizeof(int));
    cudaMalloc(&d_table, vocab * dim * sizeof(float));
    cudaMalloc(&d_out, num_tokens * dim * sizeof(float));
    cudaMemcpy(d_tokens, tokens.data(), num_tokens * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_table, table.data(), vocab * dim * sizeof(float), cudaMemcpyHostToDevice);
    embedding_lookup<<<num_tokens / 128, 128>>>(d_tokens, d_table, d_out, num_tokens, dim);
    cudaDeviceSynchronize();
    return 0;
}
