/*
[kernel]
title   = "Interleaved bytes of three colours to three normalised planes, four pixels per thread"

[parameters]
images = { default = 32 }
pixels = { default = 50176 }

[buffers]
in = { type = "u8", length = "images * pixels * 3", fill = "random", seed = "421", below = "256" }
out = { type = "f32", length = "images * pixels * 3", fill = "zero" }

[launch]
arguments = ["in", "out", "pixels"]
grid  = ["pixels // 1024", "images"]
block = ["256"]
*/
extern "C" __global__ void planes_of_pixels(const unsigned* __restrict__ in, float4* __restrict__ out, int pixels) {
    const int four = blockIdx.x * 256 + threadIdx.x, image = blockIdx.y;
    const unsigned* own = in + (size_t(image) * pixels / 4 + four) * 3;
    const unsigned a = own[0], b = own[1], c = own[2];
    const auto scaled = [](unsigned byte, float mean, float inverse) { return (byte / 255.0f - mean) * inverse; };
    const auto red = [&](unsigned x) { return scaled(x & 255, 0.485f, 4.3668f); };
    const auto green = [&](unsigned x) { return scaled(x & 255, 0.456f, 4.4643f); };
    const auto blue = [&](unsigned x) { return scaled(x & 255, 0.406f, 4.4444f); };
    float4* plane = out + size_t(image) * 3 * (pixels / 4) + four;
    plane[0] = make_float4(red(a), red(a >> 24), red(b >> 16), red(c >> 8));
    plane[pixels / 4] = make_float4(green(a >> 8), green(b), green(b >> 24), green(c >> 16));
    plane[pixels / 2] = make_float4(blue(a >> 16), blue(b >> 8), blue(c), blue(c >> 24));
}
