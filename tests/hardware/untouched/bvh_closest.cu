/*
[kernel]
title   = "Rays through a hierarchy of boxes: a stack in local memory, the nearer child first"

[parameters]
width = { default = 192 }
height = { default = 128 }

[buffers]
image = { type = "f32", length = "width * height", fill = "zero" }
leaves = { type = "u32", length = "1024", fill = "random", seed = "708", below = "1000000" }

[launch]
arguments = ["leaves", "image", "width", "height"]
grid  = ["width // 16", "height // 8"]
block = ["16", "8"]
*/
struct Box {
    float low[3], high[3];
};
// Node i of depth d is the box of its Morton prefix; a leaf's sphere has a random place and radius in it.
__device__ Box box_of(int node, int depth) {
    Box box = {{0, 0, 0}, {1, 1, 1}};
    for (int level = depth - 1, axis = 0; level >= 0; --level, axis = axis == 2 ? 0 : axis + 1) {
        const float middle = 0.5f * (box.low[axis] + box.high[axis]);
        if (node >> level & 1) box.low[axis] = middle;
        else box.high[axis] = middle;
    }
    return box;
}
__device__ float enters(const Box& box, const float* origin, const float* inverse, float far) {
    float begin = 0, end = far;
    for (int axis = 0; axis < 3; ++axis) {
        const float a = (box.low[axis] - origin[axis]) * inverse[axis], b = (box.high[axis] - origin[axis]) * inverse[axis];
        begin = fmaxf(begin, fminf(a, b));
        end = fminf(end, fmaxf(a, b));
    }
    return begin <= end ? begin : 1e30f;
}
extern "C" __global__ void bvh_closest(const unsigned* __restrict__ leaves, float* image, int width, int height) {
    const int px = blockIdx.x * 16 + threadIdx.x, py = blockIdx.y * 8 + threadIdx.y;
    const float origin[3] = {0.5f, 0.5f, -1.5f};
    float direction[3] = {(px + 0.5f) / width - 0.5f, (py + 0.5f) / height - 0.5f, 1.3f};
    const float length = rsqrtf(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
    float inverse[3];
    for (int axis = 0; axis < 3; ++axis) {
        direction[axis] *= length;
        inverse[axis] = 1 / direction[axis];
    }
    int nodes[12], depths[12], top = 0;
    nodes[0] = 0;
    depths[0] = 0;
    float closest = 1e30f;
    while (top >= 0) {
        const int node = nodes[top], depth = depths[top--];
        if (depth == 10) {
            const Box box = box_of(node, depth);
            const unsigned bits = leaves[node];
            float b = 0, c = 0;
            const float radius = 0.02f + 0.03f * (bits % 100) / 100;
            for (int axis = 0; axis < 3; ++axis) {
                const float to = 0.5f * (box.low[axis] + box.high[axis]) - origin[axis];
                b += to * direction[axis];
                c += to * to;
            }
            const float root = b * b - c + radius * radius;
            if (root > 0) closest = fminf(closest, b - sqrtf(root));
            continue;
        }
        const float left = enters(box_of(node * 2, depth + 1), origin, inverse, closest);
        const float right = enters(box_of(node * 2 + 1, depth + 1), origin, inverse, closest);
        const int near = right < left;
        if (fmaxf(left, right) < 1e30f) {
            nodes[++top] = node * 2 + 1 - near;
            depths[top] = depth + 1;
        }
        if (fminf(left, right) < 1e30f) {
            nodes[++top] = node * 2 + near;
            depths[top] = depth + 1;
        }
    }
    image[py * width + px] = closest;
}
