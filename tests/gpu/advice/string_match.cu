#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void find_pattern(const char* text, int text_len, const char* pattern, int pattern_len, int* count) {
    int pos = blockIdx.x * blockDim.x + threadIdx.x;
    if (pos > text_len - pattern_len) return;
    bool match = true;
    for (int k = 0; k < pattern_len; k++) {
        if (text[pos + k] != pattern[k]) {
            match = false;
            break;
        }
    }
    if (match) atomicAdd(count, 1);
}

int main() {
    const int text_len = 1 << 20;
    const char* pattern = "abcab";
    std::vector<char> text(text_len);
    for (int i = 0; i < text_len; i++) text[i] = "abcabd"[(i * 7 + i / 13) % 6];
    char *d_text, *d_pattern;
    int* d_count;
    cudaMalloc(&d_text, text_len);
    cudaMalloc(&d_pattern, 5);
    cudaMalloc(&d_count, sizeof(int));
    cudaMemcpy(d_text, text.data(), text_len, cudaMemcpyHostToDevice);
    cudaMemcpy(d_pattern, pattern, 5, cudaMemcpyHostToDevice);
    cudaMemset(d_count, 0, sizeof(int));
    find_pattern<<<(text_len + 255) / 256, 256>>>(d_text, text_len, d_pattern, 5, d_count);
    cudaDeviceSynchronize();
    return 0;
}
