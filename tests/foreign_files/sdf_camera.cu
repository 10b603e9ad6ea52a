// Sphere tracing of a signed distance field; camera in constant memory.
// usage: sdf [width] [height]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <cuda_runtime.h>

struct Camera {
  float3 origin;
  float3 forward;
  float3 right;
  float3 up;
  float fov;
};

struct Light { float3 dir; float3 color; float ambient; };

__constant__ Camera cam;
__constant__ Light lights[2];

__device__ __forceinline__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__device__ __forceinline__ float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }
__device__ __forceinline__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ __forceinline__ float3 normalize(float3 a) { return rsqrtf(dot(a, a)) * a; }

__device__ float map(float3 p) {
  float sphere = sqrtf(dot(p, p)) - 1.0f;
  float plane = p.y + 1.0f;
  float bump = 0.1f * __sinf(5.0f * p.x) * __sinf(5.0f * p.y) * __sinf(5.0f * p.z);
  return fminf(sphere + bump, plane);
}

__global__ void __launch_bounds__(128, 8) render(uchar4 *image, int width, int height, int maxSteps) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float u = (2.0f * (x + 0.5f) / width - 1.0f) * cam.fov * width / height;
  float v = (1.0f - 2.0f * (y + 0.5f) / height) * cam.fov;
  float3 d = normalize(cam.forward + u * cam.right + v * cam.up);
  float t = 0.0f;
  int i = 0;
  for (; i < maxSteps; ++i) {
    float dist = map(cam.origin + t * d);
    if (dist < 1e-3f || t > 20.0f) break;
    t += dist;
  }
  float3 c = make_float3(0.0f, 0.0f, 0.0f);
  if (t < 20.0f) {
    float3 p = cam.origin + t * d;
    const float e = 1e-3f;
    float3 n = normalize(make_float3(map(p + make_float3(e, 0, 0)) - map(p), map(p + make_float3(0, e, 0)) - map(p),
                                     map(p + make_float3(0, 0, e)) - map(p)));
    for (int l = 0; l < 2; ++l) {
      float k = fmaxf(dot(n, lights[l].dir), 0.0f) + lights[l].ambient;
      c = c + k * lights[l].color;
    }
  }
  image[y * width + x] = make_uchar4((unsigned char)(255.0f * fminf(c.x, 1.0f)), (unsigned char)(255.0f * fminf(c.y, 1.0f)),
                                     (unsigned char)(255.0f * fminf(c.z, 1.0f)), 255);
}

int main(int argc, char **argv) {
  int width = argc > 1 ? atoi(argv[1]) : 640;
  int height = argc > 2 ? atoi(argv[2]) : 360;
  Camera h_cam;
  memset(&h_cam, 0, sizeof(h_cam));
  h_cam.origin = make_float3(0.0f, 0.5f, -3.0f);
  h_cam.forward = make_float3(0.0f, 0.0f, 1.0f);
  h_cam.right.x = 1.0f;
  h_cam.up = {0.0f, 1.0f, 0.0f};
  h_cam.fov = tanf(0.5f * 60.0f * M_PI / 180.0f);
  cudaMemcpyToSymbol(cam, &h_cam, sizeof(Camera));
  Light h_lights[2] = {{{0.577f, 0.577f, -0.577f}, {1.0f, 0.9f, 0.8f}, 0.1f}, {{-0.707f, 0.707f, 0.0f}, {0.2f, 0.3f, 0.4f}, 0.05f}};
  cudaMemcpyToSymbol(lights, h_lights, sizeof(h_lights));
  uchar4 *d_image;
  size_t bytes = width * height * sizeof(uchar4);
  cudaMalloc((void **)&d_image, bytes);
  dim3 threads(16, 8);
  dim3 blocks((width + threads.x - 1) / threads.x, (height + threads.y - 1) / threads.y);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  for (int frame = 0; frame < 10; ++frame) render<<<blocks, threads>>>(d_image, width, height, 128);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float ms;
  cudaEventElapsedTime(&ms, start, stop);
  printf("%.3f ms per frame\n", ms / 10);
  uchar4 *h_image = (uchar4 *)malloc(bytes);
  cudaMemcpy(h_image, d_image, bytes, cudaMemcpyDeviceToHost);
  FILE *f = fopen("out.ppm", "wb");
  fprintf(f, "P6\n%d %d\n255\n", width, height);
  for (int i = 0; i < width * height; ++i) fwrite(&h_image[i], 1, 3, f);
  fclose(f);
  cudaFree(d_image);
  free(h_image);
}
