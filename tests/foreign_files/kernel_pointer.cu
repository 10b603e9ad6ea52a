#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#include <helper_string.h>
#include <helper_image.h>
#include <helper_cuda.h>
const char *sSDKsample = "Transpose";
#define TILE_DIM 16
#define BLOCK_ROWS 16
int MATRIX_SIZE_X = 1024;
int MATRIX_SIZE_Y = 1024;
#define NUM_REPS 100
__global__ void copyPlain(float *odata, float *idata, int width, int height) {
  int xIndex = blockIdx.x * TILE_DIM + threadIdx.x;
  int yIndex = blockIdx.y * TILE_DIM + threadIdx.y;
  int index = xIndex + width * yIndex;
  for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS) odata[index + i * width] = idata[index + i * width];
}
__global__ void transposeCo(float *odata, float *idata, int width, int height) {
  cg::thread_block cta = cg::this_thread_block();
  __shared__ float tile[TILE_DIM][TILE_DIM];
  int xIndex = blockIdx.x * TILE_DIM + threadIdx.x;
  int yIndex = blockIdx.y * TILE_DIM + threadIdx.y;
  int index_in = xIndex + yIndex * width;
  xIndex = blockIdx.y * TILE_DIM + threadIdx.x;
  yIndex = blockIdx.x * TILE_DIM + threadIdx.y;
  int index_out = xIndex + yIndex * height;
  for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS) tile[threadIdx.y + i][threadIdx.x] = idata[index_in + i * width];
  cg::sync(cta);
  for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS) odata[index_out + i * height] = tile[threadIdx.x][threadIdx.y + i];
}
void getParams(int argc, char **argv, cudaDeviceProp &deviceProp, int &size_x, int &size_y, int max_tile_dim) {
  if (checkCmdLineFlag(argc, (const char **)argv, "dimX")) size_x = getCmdLineArgumentInt(argc, (const char **)argv, "dimX");
  else size_x = max_tile_dim;
  size_y = size_x;
}
int main(int argc, char **argv) {
  printf("%s Starting...\n\n", sSDKsample);
  int devID = findCudaDevice(argc, (const char **)argv);
  cudaDeviceProp deviceProp;
  checkCudaErrors(cudaGetDevice(&devID));
  checkCudaErrors(cudaGetDeviceProperties(&deviceProp, devID));
  int size_x, size_y, max_matrix_dim = MATRIX_SIZE_X;
  getParams(argc, argv, deviceProp, size_x, size_y, max_matrix_dim);
  if (size_x != size_y) exit(EXIT_FAILURE);
  void (*kernel)(float *, float *, int, int);
  const char *kernelName;
  dim3 grid(size_x / TILE_DIM, size_y / TILE_DIM), threads(TILE_DIM, BLOCK_ROWS);
  size_t mem_size = static_cast<size_t>(sizeof(float) * size_x * size_y);
  float *h_idata = (float *)malloc(mem_size);
  float *d_idata, *d_odata;
  checkCudaErrors(cudaMalloc((void **)&d_idata, mem_size));
  checkCudaErrors(cudaMalloc((void **)&d_odata, mem_size));
  for (int i = 0; i < (size_x * size_y); ++i) h_idata[i] = (float)i;
  checkCudaErrors(cudaMemcpy(d_idata, h_idata, mem_size, cudaMemcpyHostToDevice));
  for (int k = 0; k < 2; k++) {
    switch (k) {
      case 0: kernel = &copyPlain; kernelName = "simple copy"; break;
      case 1: kernel = &transposeCo; kernelName = "coalesced"; break;
    }
    kernel<<<grid, threads>>>(d_odata, d_idata, size_x, size_y);
  }
}
