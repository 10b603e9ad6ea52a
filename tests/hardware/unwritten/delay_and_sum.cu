/*
[kernel]
title   = "An ultrasonic image: for each place the samples of 64 receivers at its distance, between two samples each"

[parameters]
width = { default = 768 }
depth = { default = 704 }

[buffers]
samples = { type = "f32", length = "64 * 2048", fill = "random", seed = "1623" }
image = { type = "f32", length = "width * depth", fill = "zero" }

[launch]
arguments = ["samples", "image", "width"]
grid  = ["width // 32", "depth // 4"]
block = ["32", "4"]
*/
extern "C" __global__ void delay_and_sum(const float* __restrict__ samples, float* __restrict__ image, int width) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    const float px = x * 0.1f - 19.2f, py = y * 0.1f + 2.0f;
    float sum = 0;
#pragma unroll 4
    for (int k = 0; k < 64; ++k) {
        const float dx = px - (k - 31.5f) * 0.3f, at = 20.0f * (py + sqrtf(dx * dx + py * py));
        const int sample = int(at);
        const float* trace = samples + k * 2048 + (sample & 2047);
        const float next = samples[k * 2048 + ((sample + 1) & 2047)];
        sum += trace[0] + (at - sample) * (next - trace[0]);
    }
    image[y * width + x] = sum;
}
