/*
[kernel]
title   = "Columns of a 3 x 3 convolution, Caffe's im2col: one thread per pixel and channel writes nine rows"

[parameters]
channels = { default = 48 }
height = { default = 97 }
width = { default = 131 }

[buffers]
image = { type = "f32", length = "channels * height * width", fill = "random", seed = "704" }
columns = { type = "f32", length = "channels * 9 * height * width", fill = "zero" }

[launch]
arguments = ["channels * height * width", "image", "height", "width", "3", "1", "1", "height", "width", "columns"]
grid  = ["ceil_div(channels * height * width, 512)"]
block = ["512"]
*/
extern "C" __global__ void im2col_3x3(int n, const float* image, int height, int width, int size, int pad, int stride,
                                      int out_height, int out_width, float* columns) {
    for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < n; index += blockDim.x * gridDim.x) {
        const int row = index / out_width, channel = row / out_height;
        const int w_out = index % out_width, h_out = row % out_height;
        const int h_in = h_out * stride - pad, w_in = w_out * stride - pad;
        float* to = columns + (channel * size * size * out_height + h_out) * out_width + w_out;
        const float* from = image + (channel * height + h_in) * width + w_in;
        for (int i = 0; i < size; ++i)
            for (int j = 0; j < size; ++j) {
                const int h = h_in + i, w = w_in + j;
                *to = h >= 0 && w >= 0 && h < height && w < width ? from[i * width + j] : 0;
                to += out_height * out_width;
            }
    }
}
