/*
[kernel]
title   = "Half a sweep of the Ising model: each thread flips a spin of one colour of a chessboard by its four neighbours and a hashed number"

[parameters]
width = { default = 2048 }
height = { default = 1024 }

[buffers]
spins = { type = "i8", length = "width * height", fill = "formula", value = "random(2) * 2 - 1", seed = "1009" }

[launch]
arguments = ["spins", "width", "height"]
grid  = ["width // 512", "height"]
block = ["256"]
*/
extern "C" __global__ void ising_checker(signed char* spins, int width, int height) {
    const int y = blockIdx.y, x = (blockIdx.x * 256 + threadIdx.x) * 2 + (y & 1);
    const int up = (y == 0 ? height : y) - 1, down = y + 1 == height ? 0 : y + 1;
    const int left = (x == 0 ? width : x) - 1, right = x + 1 == width ? 0 : x + 1;
    const int around = spins[up * width + x] + spins[down * width + x] + spins[y * width + left] + spins[y * width + right];
    const int spin = spins[y * width + x];
    unsigned h = (y * width + x) * 0x9e3779b9u;
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    if (h * 2.3283064e-10f < __expf(-0.88f * spin * around)) spins[y * width + x] = -spin;
}
