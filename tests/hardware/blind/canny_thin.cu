/*
[kernel]
title   = "Canny edges, second step: gradients from a shared tile, magnitudes in a second one, thinned along the gradient"

[parameters]
width = { default = 2048 }
height = { default = 1024 }

[buffers]
image = { type = "f32", length = "width * height", fill = "random", seed = "408" }
edges = { type = "u8", length = "width * height", fill = "zero" }

[launch]
arguments = ["image", "edges", "width", "height", "f32=0.4", "f32=1.2"]
grid  = ["width // 32", "height // 8"]
block = ["32", "8"]
*/
extern "C" __global__ void canny_thin(const float* __restrict__ image, unsigned char* __restrict__ edges, int width,
                                      int height, float low, float high) {
    __shared__ float pixel[12][36], size[10][34];
    const int left = blockIdx.x * 32 - 2, top = blockIdx.y * 8 - 2;
    const int thread = threadIdx.y * 32 + threadIdx.x;
    for (int i = thread; i < 12 * 36; i += 256) {
        const int x = min(max(left + i % 36, 0), width - 1), y = min(max(top + i / 36, 0), height - 1);
        pixel[i / 36][i % 36] = image[y * width + x];
    }
    __syncthreads();
    float own_x = 0, own_y = 0;
    for (int i = thread; i < 10 * 34; i += 256) {
        const int x = i % 34 + 1, y = i / 34 + 1;
        const float dx = pixel[y - 1][x + 1] + 2 * pixel[y][x + 1] + pixel[y + 1][x + 1] - pixel[y - 1][x - 1] -
                         2 * pixel[y][x - 1] - pixel[y + 1][x - 1];
        const float dy = pixel[y + 1][x - 1] + 2 * pixel[y + 1][x] + pixel[y + 1][x + 1] - pixel[y - 1][x - 1] -
                         2 * pixel[y - 1][x] - pixel[y - 1][x + 1];
        size[y - 1][x - 1] = sqrtf(dx * dx + dy * dy);
    }
    __syncthreads();
    const int x = threadIdx.x + 1, y = threadIdx.y + 1;
    own_x = pixel[y + 1][x + 2] - pixel[y + 1][x];
    own_y = pixel[y + 2][x + 1] - pixel[y][x + 1];
    const float flat = fabsf(own_x), steep = fabsf(own_y), own = size[y][x];
    int right = 0, down = 0;
    if (flat > 2.4142f * steep) right = 1;
    else if (steep > 2.4142f * flat) down = 1;
    else {
        right = 1;
        down = own_x * own_y > 0 ? 1 : -1;
    }
    unsigned char edge = 0;
    if (own >= size[y + down][x + right] && own > size[y - down][x - right]) edge = own > high ? 255 : own > low ? 128 : 0;
    edges[(blockIdx.y * 8 + threadIdx.y) * width + blockIdx.x * 32 + threadIdx.x] = edge;
}
