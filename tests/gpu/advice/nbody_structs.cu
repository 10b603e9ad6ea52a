#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
struct Body { float x, y, z, vx, vy, vz, mass; };
__global__ void forces(const Body* bodies, float3* acc, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; j++) {
        float dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y, dz = bodies[j].z - bodies[i].z;
        float d2 = dx * dx + dy * dy + dz * dz + 0.01;
        float inv = 1.0 / sqrt(d2);
        float f = bodies[j].mass * inv * inv * inv;
        ax += f * dx; ay += f * dy; az += f * dz;
    }
    acc[i] = make_float3(ax, ay, az);
}
__global__ void integrate(Body* bodies, const float3* acc, int n, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        bodies[i].vx += dt * acc[i].x; bodies[i].vy += dt * acc[i].y; bodies[i].vz += dt * acc[i].z;
        bodies[i].x += dt * bodies[i].vx; bodies[i].y += dt * bodies[i].vy; bodies[i].z += dt * bodies[i].vz;
    }
}
int main() {
    const int n = 4096;
    std::vector<Body> b(n);
    for (int i = 0; i < n; i++) { b[i] = {float(i % 16), float(i / 16 % 16), float(i / 256), 0, 0, 0, 1.0f}; }
    Body* db; float3* da;
    cudaMalloc(&db, n * sizeof(Body)); cudaMalloc(&da, n * sizeof(float3));
    cudaMemcpy(db, b.data(), n * sizeof(Body), cudaMemcpyHostToDevice);
    for (int step = 0; step < 3; step++) {
        forces<<<n / 128, 128>>>(db, da, n);
        integrate<<<n / 128, 128>>>(db, da, n, 0.01f);
    }
    cudaMemcpy(b.data(), db, n * sizeof(Body), cudaMemcpyDeviceToHost);
    printf("%f\n", b[0].x);
}
