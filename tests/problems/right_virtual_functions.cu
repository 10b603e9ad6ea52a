/*
[kernel]
title = "Virtual functions of objects from the heap"

[buffers]
out = { type = "f32", length = "128", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["2"]
block = ["64"]
*/

struct Shape {
    __device__ virtual float area(float size) const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    float factor;
    __device__ explicit Square(float f) : factor(f) {}
    __device__ float area(float size) const override { return factor * size * size; }
};
struct Disc : Shape {
    __device__ float area(float size) const override { return 3.0f * size * size; }
};
extern "C" __global__ void right_virtual_functions(float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    Shape* shape;
    if (i % 3 == 0) shape = new Square(2.0f);
    else shape = new Disc;
    out[i] = shape->area(static_cast<float>(i));
    delete shape;
}
