#include <cuda_runtime.h>
#include <cstdio>
struct vec3 {
  float x, y, z;
  __host__ __device__ vec3() : x(0), y(0), z(0) {}
  __host__ __device__ vec3(float a, float b, float c) : x(a), y(b), z(c) {}
  __host__ __device__ vec3 operator+(const vec3& o) const { return vec3(x + o.x, y + o.y, z + o.z); }
  __host__ __device__ vec3 operator*(float s) const { return vec3(x * s, y * s, z * s); }
};
__host__ __device__ inline float dot(const vec3& a, const vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
struct Camera { vec3 origin, lower_left, horizontal, vertical; };
struct Sphere { vec3 center; float radius; };
struct Scene { Sphere spheres[3]; int count; };
__global__ void render(vec3* fb, int w, int h, vec3 light, Camera cam, Scene scene) {
  int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= w || y >= h) return;
  vec3 d = cam.lower_left + cam.horizontal * (float(x) / w) + cam.vertical * (float(y) / h);
  vec3 c = light * 0.1f;
  for (int i = 0; i < scene.count; ++i) {
    vec3 oc = cam.origin + scene.spheres[i].center * -1.0f;
    float a = dot(d, d), b = dot(oc, d), cc = dot(oc, oc) - scene.spheres[i].radius * scene.spheres[i].radius;
    float disc = b * b - a * cc;
    if (disc > 0) { float t = (-b - sqrtf(disc)) / a; vec3 n = (oc + d * t) * (1.0f / scene.spheres[i].radius); c = c + light * fmaxf(dot(n, light), 0.f); }
  }
  fb[y * w + x] = c;
}
int main() {
  int nx = 320, ny = 160; vec3* fb;
  cudaMallocManaged((void**)&fb, nx * ny * sizeof(vec3));
  Camera cam{vec3(0.0f, 0.0f, 0.0f), vec3(-2.0f, -1.0f, -1.0f), vec3(4.0f, 0.0f, 0.0f), vec3(0.0f, 2.0f, 0.0f)};
  Scene scene = {{{vec3(0, 0, -1), 0.5f}, {vec3(0, -100.5f, -1), 100.0f}, {vec3(1, 0, -1), 0.5f}}, 3};
  dim3 blocks(nx / 8 + 1, ny / 8 + 1), threads(8, 8);
  render<<<blocks, threads>>>(fb, nx, ny, vec3(0.5f, 0.7f, 1.0f), cam, scene);
  cudaDeviceSynchronize();
  printf("%f\n", fb[0].x);
}
