/*
[kernel]
title   = "Rays through a volume of bytes, nearest of 96 cubed, composed front to back until they are opaque; tiles of 16 x 16 rays"

[parameters]
width = { default = 352 }
height = { default = 192 }

[buffers]
volume = { type = "u8", length = "96 * 96 * 96", fill = "random", seed = "1133", below = "256" }
picture = { type = "u32", length = "width * height", fill = "zero" }

[launch]
arguments = ["volume", "picture", "width", "height", "f32=0.02"]
grid  = ["width // 16", "height // 16"]
block = ["16", "16"]
*/
extern "C" __global__ void march_volume(const unsigned char* __restrict__ volume, unsigned* __restrict__ picture, int width,
                                        int height, float density) {
    const int px = blockIdx.x * 16 + threadIdx.x, py = blockIdx.y * 16 + threadIdx.y;
    const float u = px * 2.0f / width - 1, v = py * 2.0f / height - 1;
    const float length = rsqrtf(u * u * 0.2f + v * v * 0.2f + 1), dx = u * 0.45f * length, dy = v * 0.45f * length, dz = length;
    float x = 48 + u * 25, y = 48 + v * 25, z = 0.5f, light = 0, through = 1;
    for (int step = 0; step < 96; ++step) {
        if (x < 0 || x >= 96 || y < 0 || y >= 96 || z >= 96) break;
        const float sample = volume[(int(z) * 96 + int(y)) * 96 + int(x)] * (1.0f / 255), opacity = sample * density;
        light += through * opacity * sample;
        through *= 1 - opacity;
        if (through < 0.3f) break;
        x += dx;
        y += dy;
        z += dz;
    }
    const unsigned grey = unsigned(__saturatef(light) * 255);
    picture[py * width + px] = grey | grey << 8 | grey << 16 | unsigned((1 - through) * 255) << 24;
}
