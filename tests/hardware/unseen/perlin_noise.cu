/*
[kernel]
title   = "Perlin noise in six octaves, the permutation in shared memory"

[parameters]
width = { default = 640 }
height = { default = 480 }

[buffers]
permutation = { type = "u8", length = "256", fill = "random", seed = "118", below = "256" }
out = { type = "f32", length = "width * height", fill = "zero" }

[launch]
arguments = ["permutation", "out", "width"]
grid  = ["width // 32", "height // 8"]
block = ["32", "8"]
*/
__device__ float slope(int hash, float x, float y) {
    const float first = hash & 1 ? -x : x, second = hash & 2 ? -y : y;
    return hash & 4 ? first + 0.5f * second : 0.5f * first + second;
}

extern "C" __global__ void perlin_noise(const unsigned char* permutation, float* out, int width) {
    __shared__ unsigned char table[256];
    table[threadIdx.y * 32 + threadIdx.x] = permutation[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    float x = column * 0.013f, y = row * 0.017f, size = 1, sum = 0;
    for (int octave = 0; octave < 6; ++octave) {
        const float left = floorf(x), top = floorf(y);
        const int i = static_cast<int>(left) & 255, j = static_cast<int>(top) & 255;
        const float u = x - left, v = y - top;
        const float across = u * u * u * (u * (u * 6 - 15) + 10), down = v * v * v * (v * (v * 6 - 15) + 10);
        const int a = table[i], b = table[(i + 1) & 255];
        const float p = slope(table[(a + j) & 255], u, v), q = slope(table[(b + j) & 255], u - 1, v);
        const float r = slope(table[(a + j + 1) & 255], u, v - 1), s = slope(table[(b + j + 1) & 255], u - 1, v - 1);
        const float above = p + across * (q - p), below = r + across * (s - r);
        sum += size * (above + down * (below - above));
        x *= 2;
        y *= 2;
        size *= 0.5f;
    }
    out[row * width + column] = sum;
}
