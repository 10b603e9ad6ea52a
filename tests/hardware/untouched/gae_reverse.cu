/*
[kernel]
title   = "Generalised advantages, backwards in time: one thread per environment, 64 steps"

[parameters]
environments = { default = 50176 }
steps = { default = 64 }

[buffers]
rewards = { type = "f32", length = "environments * steps", fill = "random", seed = "709" }
values = { type = "f32", length = "environments * (steps + 1)", fill = "random", seed = "710" }
ends = { type = "u8", length = "environments * steps", fill = "formula", value = "random(20) // 19", seed = "711" }
advantages = { type = "f32", length = "environments * steps", fill = "zero" }

[launch]
arguments = ["rewards", "values", "ends", "advantages", "environments", "steps", "0.99", "0.95"]
grid  = ["environments // 128"]
block = ["128"]
*/
extern "C" __global__ void gae_reverse(const float* rewards, const float* values, const unsigned char* ends,
                                       float* advantages, int environments, int steps, float gamma, float lambda) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= environments) return;
    float running = 0, next = values[steps * environments + at];
    for (int t = steps - 1; t >= 0; --t) {
        const int i = t * environments + at;
        const float alive = 1.0f - float(ends[i]), value = values[i];
        const float delta = rewards[i] + gamma * next * alive - value;
        running = delta + gamma * lambda * alive * running;
        advantages[i] = running;
        next = value;
    }
}
