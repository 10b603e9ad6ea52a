/*
[kernel]
title   = "A transposed convolution of 4 x 4 and step 2 over eight channels, its weights in constant memory by an index of the loop"

[parameters]
width = { default = 256 }
height = { default = 256 }

[buffers]
in = { type = "f32", length = "8 * width * height", fill = "random", seed = "922" }
out = { type = "f32", length = "4 * width * height", fill = "zero" }

[launch]
arguments = ["in", "out", "width", "height"]
grid  = ["width // 16", "height // 4"]
block = ["32", "8"]
*/
__constant__ float weights[8][4][4] = {0.123f, 0.242f, 0.295f, 0.442f, 0.240f, 0.422f, -0.471f, -0.034f, 0.443f, 0.149f, 0.401f, -0.387f, -0.031f, -0.253f, 0.044f, 0.074f, -0.487f, -0.283f, -0.221f, 0.416f, 0.266f, -0.340f, 0.297f, -0.361f, 0.117f, -0.373f, -0.498f, 0.371f, -0.291f, -0.285f, 0.482f, 0.372f, -0.211f, 0.461f, 0.039f, 0.178f, -0.295f, 0.441f, 0.191f, 0.467f, 0.394f, -0.201f, -0.139f, -0.334f, -0.354f, -0.435f, -0.199f, 0.103f, -0.497f, 0.178f, -0.162f, -0.190f, 0.319f, -0.019f, -0.184f, -0.019f, 0.205f, -0.443f, 0.475f, -0.477f, 0.250f, 0.345f, -0.482f, 0.288f, -0.134f, 0.079f, -0.491f, -0.453f, -0.319f, 0.455f, -0.303f, 0.256f, 0.430f, 0.442f, -0.156f, -0.145f, 0.025f, 0.276f, -0.392f, 0.248f, 0.297f, 0.360f, -0.463f, 0.446f, -0.409f, -0.159f, 0.111f, 0.418f, -0.160f, 0.424f, 0.045f, -0.188f, -0.183f, -0.323f, -0.422f, -0.351f, 0.189f, 0.497f, -0.338f, -0.451f, 0.487f, 0.034f, -0.094f, -0.263f, 0.094f, 0.326f, -0.044f, -0.078f, -0.444f, 0.416f, -0.467f, -0.006f, 0.338f, -0.369f, 0.232f, 0.450f, 0.130f, 0.288f, -0.393f, -0.065f, -0.351f, 0.345f, -0.205f, -0.047f, 0.499f, 0.352f, 0.476f, -0.046f};
extern "C" __global__ void transposed_conv(const float* __restrict__ in, float* __restrict__ out, int width, int height) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    float sum = 0;
#pragma unroll 1
    for (int channel = 0; channel < 8; ++channel)
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j) {
                const int from_y = (y + 1) / 2 - i, from_x = (x + 1) / 2 - j;
                if (from_y < 0 || from_y >= height || from_x < 0 || from_x >= width) continue;
                const float* of = &weights[channel][2 * i][2 * j];
                const float w00 = of[0], w01 = of[1], w10 = of[4], w11 = of[5];
                const float weight = y % 2 ? (x % 2 ? w00 : w01) : (x % 2 ? w10 : w11);
                sum += in[(channel * height + from_y) * width + from_x] * weight;
            }
    out[y * 2 * width + x] = sum;
}
