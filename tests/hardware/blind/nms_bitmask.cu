/*
[kernel]
title   = "Suppression of overlapping boxes, first step: 64 x 64 pairs per block, one word of 64 bits per box"

[parameters]
boxes = { default = 4096 }

[buffers]
corners = { type = "f32", length = "boxes * 4", fill = "formula", value = "i % 4 < 2 and random() * 100 or 100 + random() * 60", seed = "417" }
mask = { type = "u64", length = "boxes * boxes // 64", fill = "zero" }

[launch]
arguments = ["corners", "mask", "boxes", "f32=0.5"]
grid  = ["boxes // 64", "boxes // 64"]
block = ["64"]
*/
extern "C" __global__ void nms_bitmask(const float4* __restrict__ corners, unsigned long long* __restrict__ mask,
                                       int boxes, float limit) {
    const int row = blockIdx.y, column = blockIdx.x;
    if (row > column) return;
    __shared__ float4 others[64];
    others[threadIdx.x] = corners[column * 64 + threadIdx.x];
    __syncthreads();
    const float4 own = corners[row * 64 + threadIdx.x];
    const float area = (own.z - own.x) * (own.w - own.y);
    unsigned long long bits = 0;
    for (int i = row == column ? threadIdx.x + 1 : 0; i < 64; ++i) {
        const float4 other = others[i];
        const float width = fmaxf(fminf(own.z, other.z) - fmaxf(own.x, other.x), 0.0f);
        const float height = fmaxf(fminf(own.w, other.w) - fmaxf(own.y, other.y), 0.0f);
        const float common = width * height, its_area = (other.z - other.x) * (other.w - other.y);
        if (common / (area + its_area - common) > limit) bits |= 1ull << i;
    }
    mask[size_t(row * 64 + threadIdx.x) * (boxes / 64) + column] = bits;
}
