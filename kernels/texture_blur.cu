/*
[kernel]
title   = "Blur an image through a texture"
subject = "Memory spaces"
lesson  = "A texture fetch between texels blends four of them and handles the image border: four fetches weight the nine texels of a 3 × 3 blur without a branch."
views   = ["source", "lanes", "sectors"]

[parameters]
W       = { default = 250, min = 1, max = 4096, help = "width of the image in texels" }
H       = { default = 150, min = 1, max = 4096, help = "height of the image in texels" }
FETCHES = { default = 4, values = [4, 9], macro = true, help = "fetches per pixel: four between texels, or nine at texel centers" }
address = { default = "clamp", values = ["clamp", "border", "wrap", "mirror"], help = "value outside the image: the edge texel, 0, the opposite side, or the mirrored image" }
block_x = { default = 16, values = [8, 16, 32], help = "threads per block along x" }
block_y = { default = 16, values = [1, 2, 4, 8, 16, 32], help = "threads per block along y" }

[buffers]
blurred = { type = "f32", length = "W * H", fill = "zero" }

[textures]
image = { type = "f32", width = "W", height = "H", fill = "random", seed = "1", filter = "linear", address = "address", normalised = true }

[launch]
arguments = ["image", "blurred", "W", "H"]
grid  = ["ceil_div(W, block_x)", "ceil_div(H, block_y)"]
block = ["block_x", "block_y"]
dynamic_shared_bytes = "0"

[golden.blurred]
tolerance = 1e-6
lua = '''
local function inside(i, n)
    if address == "clamp" then return math.min(math.max(i, 0), n - 1) end
    if address == "wrap" then return i % n end
    if address == "mirror" then
        i = i % (2 * n)
        return i < n and i or 2 * n - 1 - i
    end
    return i >= 0 and i < n and i or nil
end
return function(i)
    local sum = 0.0
    for dy = -1, 1 do
        local row = inside(i // W + dy, H)
        for dx = -1, 1 do
            local column = inside(i % W + dx, W)
            if row and column then
                sum = sum + (2 - math.abs(dx)) * (2 - math.abs(dy)) * image[row * W + column]
            end
        end
    end
    return sum / 16
end
'''
*/
#ifndef FETCHES
#define FETCHES 4
#endif

// Texel centers are at half coordinates: (0.5, 0.5) is the center of the first. A fetch half way between two
// texels along x and y returns the mean of four. The four means around a pixel weight its nine texels by
// 1 2 1, 2 4 2 and 1 2 1. Coordinates are normalized, 0 to 1 over the image, as wrap and mirror require.
extern "C" __global__ void texture_blur(cudaTextureObject_t image, float* blurred, int W, int H) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= W || row >= H) return;

    const float texel_x = 1.0f / W, texel_y = 1.0f / H;
    const float x = (column + 0.5f) * texel_x, y = (row + 0.5f) * texel_y;
    float sum = 0.0f;
#if FETCHES == 4
    for (int corner = 0; corner < 4; ++corner) {
        const float dx = corner % 2 - 0.5f, dy = corner / 2 - 0.5f;
        sum += 4.0f * tex2D<float>(image, x + dx * texel_x, y + dy * texel_y);
    }
#else
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            const int weight = (2 - abs(dx)) * (2 - abs(dy));
            sum += weight * tex2D<float>(image, x + dx * texel_x, y + dy * texel_y);
        }
    }
#endif
    blurred[row * W + column] = sum / 16.0f;
}
