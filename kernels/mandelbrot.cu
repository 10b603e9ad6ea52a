/*
[kernel]
title   = "Mandelbrot set"
subject = "Divergence"
lesson  = "Neighboring pixels need similar iteration counts: warps diverge only along the boundary of the set."
views   = ["lanes", "source", "occupancy"]

[parameters]
W       = { default = 256, min = 1, max = 2048, help = "width of the image in pixels" }
H       = { default = 256, min = 1, max = 2048, help = "height of the image in pixels" }
limit   = { default = 64, min = 1, max = 1024, help = "iterations after which a point counts as inside" }
block_x = { default = 16, values = [1, 2, 4, 8, 16, 32], help = "threads per block along x" }
block_y = { default = 16, values = [1, 2, 4, 8, 16, 32], help = "threads per block along y" }

[buffers]
rounds = { type = "i32", length = "W * H", fill = "zero" }

[launch]
arguments = ["rounds", "W", "H", "limit"]
grid  = ["ceil_div(W, block_x)", "ceil_div(H, block_y)"]
block = ["block_x", "block_y"]
dynamic_shared_bytes = "0"

[golden.rounds]
lua = '''
local function f32(x)  -- rounds to the 24 bits of a float (Veltkamp's splitting)
    local c = x * 536870913.0
    return c - (c - x)
end
return function(i)
    local c_re = f32(f32(3.0 * (i % W) / W) - 2.0)
    local c_im = f32(f32(3.0 * (i // W) / H) - 1.5)
    local x, y, count = 0.0, 0.0, 0
    while count < limit do
        local xx, yy = f32(x * x), f32(y * y)
        if f32(xx + yy) > 4.0 then break end
        y = f32(f32(2.0 * x * y) + c_im)
        x = f32(f32(xx - yy) + c_re)
        count = count + 1
    end
    return count
end
'''
*/

// One thread per pixel of the rectangle from -2 - 1.5i to 1 + 1.5i. Each product is rounded before it is
// added: a compiler that used fused multiply-adds would draw a slightly different boundary.
extern "C" __global__ void mandelbrot(int* rounds, int W, int H, int limit) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= W || row >= H) return;

    const float c_re = 3.0f * column / W - 2.0f;
    const float c_im = 3.0f * row / H - 1.5f;
    float x = 0.0f, y = 0.0f;
    int count = 0;
    while (count < limit) {
        const float xx = __fmul_rn(x, x);
        const float yy = __fmul_rn(y, y);
        if (xx + yy > 4.0f) break;
        y = __fmul_rn(2.0f * x, y) + c_im;
        x = xx - yy + c_re;
        ++count;
    }
    rounds[row * W + column] = count;
}
