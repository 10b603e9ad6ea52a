/*
[kernel]
title   = "Resampling of a particle filter: each thread walks the cumulative weights to the first that reaches its position"

[parameters]
particles = { default = 16896 }
bins = { default = 512 }

[buffers]
cumulative = { type = "f32", length = "bins", fill = "formula", value = "(i + 1) / bins" }
offsets = { type = "f32", length = "particles", fill = "random", seed = "1311" }
old_x = { type = "f32", length = "bins", fill = "random", seed = "1312" }
old_y = { type = "f32", length = "bins", fill = "random", seed = "1313" }
new_x = { type = "f32", length = "particles", fill = "zero" }
new_y = { type = "f32", length = "particles", fill = "zero" }

[launch]
arguments = ["cumulative", "offsets", "old_x", "old_y", "new_x", "new_y", "particles", "bins"]
grid  = ["ceil_div(particles, 128)"]
block = ["128"]
*/
extern "C" __global__ void particle_index(const float* cumulative, const float* offsets, const float* old_x,
                                          const float* old_y, float* new_x, float* new_y, int particles, int bins) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= particles) return;
    const float at = fminf(1.0f, fabsf(offsets[i]));
    int index = -1;
    for (int b = 0; b < bins; ++b) {
        if (cumulative[b] >= at) {
            index = b;
            break;
        }
    }
    if (index == -1) index = bins - 1;
    new_x[i] = old_x[index];
    new_y[i] = old_y[index];
}
