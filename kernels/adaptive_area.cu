/*
[kernel]
title   = "Area by halving: a function that calls itself"
subject = "Divergence"
lesson  = "Each lane recurses as deep as its own part of the curve needs. The warp executes the calls of all lanes, so only few lanes are active at a time."
views   = ["lanes", "source", "timeline"]

[parameters]
n     = { default = 4096, min = 1, max = 262144, help = "intervals, 32 per curve" }
block = { default = 128, values = [32, 64, 128, 256], help = "threads per block" }
depth = { default = 5, min = 0, max = 8, help = "maximum number of halvings per interval" }

[buffers]
areas = { type = "f32", length = "n", fill = "zero" }

[launch]
arguments = ["areas", "n", "depth"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.areas]
tolerance = 1e-3
lua = '''
return function(i)
    local from, to = (i % 32 + 1) / 32, (i % 32 + 2) / 32
    return (to ^ 1.5 - from ^ 1.5) * 2 / 3 * (1 + i // 32 % 4)
end
'''
*/

// Square root by Newton's method: iterates until a step no longer lowers the estimate.
__device__ __noinline__ float root(float x) {
    float guess = x > 1 ? x : 1;
    for (;;) {
        const float next = 0.5f * (guess + x / guess);
        if (!(next < guess)) {
            return guess;
        }
        guess = next;
    }
}

// The area under height * root(x) from `left` to `right`: two trapezoids, or the sum of both halves if the
// two trapezoids differ from a single one and the depth limit allows another halving.
__device__ __noinline__ float area(float left, float right, float at_left, float at_right, float height, int depth) {
    const float middle = 0.5f * (left + right);
    const float at_middle = height * root(middle);
    const float one = 0.5f * (right - left) * (at_left + at_right);
    const float two = 0.25f * (right - left) * (at_left + 2 * at_middle + at_right);
    if (depth == 0 || fabsf(two - one) < 1e-4f * two) {
        return two;
    }
    return area(left, middle, at_left, at_middle, height, depth - 1) +
           area(middle, right, at_middle, at_right, height, depth - 1);
}

// Each warp integrates one curve, each lane one of its 32 intervals. The first intervals are the steepest.
extern "C" __global__ void adaptive_area(float* areas, int n, int depth) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < n) {
        const int piece = index % 32;
        const float left = (piece + 1) / 32.0f, right = (piece + 2) / 32.0f;
        const float height = 1 + index / 32 % 4;
        areas[index] = area(left, right, height * root(left), height * root(right), height, depth);
    }
}
