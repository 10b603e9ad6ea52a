/*
[kernel]
title = "Named barriers between a producing and a consuming warp"

[buffers]
in = { type = "f32", length = "256", fill = "iota" }
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["2"]
block = ["64"]
*/

extern "C" __global__ void right_producer_consumer(float* out, const float* in) {
    __shared__ float box[2][32];
    const int lane = threadIdx.x & 31;
    if (threadIdx.x < 32) {
        for (int i = 0; i < 4; ++i) {
            if (i >= 2) asm volatile("bar.sync %0, 64;" ::"r"(3 + i % 2) : "memory");
            box[i % 2][lane] = in[i * 32 + lane];
            asm volatile("bar.arrive %0, 64;" ::"r"(1 + i % 2) : "memory");
        }
    } else {
        float sum = 0.0f;
        for (int i = 0; i < 4; ++i) {
            asm volatile("bar.sync %0, 64;" ::"r"(1 + i % 2) : "memory");
            sum += box[i % 2][31 - lane];
            if (i < 2) asm volatile("bar.arrive %0, 64;" ::"r"(3 + i % 2) : "memory");
        }
        out[blockIdx.x * 32 + lane] = sum;
    }
}
