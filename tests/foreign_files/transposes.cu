// Ways to transpose a matrix, each a kernel; bandwidths are printed.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#include <helper_string.h>
#include <helper_cuda.h>

#define TILE_DIM   32
#define BLOCK_ROWS 8

int MATRIX_SIZE_X = 512;
int MATRIX_SIZE_Y = 512;
int MUL_FACTOR = TILE_DIM;

#define FLOOR(a, b) (a - (a % b))
#define NUM_REPS 100

__global__ void copyRows(float *odata, const float *idata, int width, int height)
{
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    odata[(y + j) * width + x] = idata[(y + j) * width + x];
}

__global__ void transposeNaive(float *odata, const float *idata, int width, int height)
{
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    odata[x * height + (y + j)] = idata[(y + j) * width + x];
}

__global__ void transposeNoConflicts(float *odata, const float *idata, int width, int height)
{
  cg::thread_block cta = cg::this_thread_block();
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  cg::sync(cta);
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

void getParams(int argc, char **argv, cudaDeviceProp &deviceProp, int &size_x, int &size_y, int max_tile_dim)
{
  size_x = MATRIX_SIZE_X;
  size_y = MATRIX_SIZE_Y;
  if (checkCmdLineFlag(argc, (const char **)argv, "dimX")) {
    size_x = getCmdLineArgumentInt(argc, (const char **)argv, "dimX");
  }
}

int main(int argc, char **argv)
{
  int devID = findCudaDevice(argc, (const char **)argv);
  cudaDeviceProp deviceProp;
  checkCudaErrors(cudaGetDevice(&devID));
  checkCudaErrors(cudaGetDeviceProperties(&deviceProp, devID));

  float total_tiles = (float)(MATRIX_SIZE_X * MATRIX_SIZE_Y) / (float)(TILE_DIM * TILE_DIM);
  int size_x, size_y;
  getParams(argc, argv, deviceProp, size_x, size_y, TILE_DIM);
  if (size_x % TILE_DIM != 0 || size_y % TILE_DIM != 0) {
    printf("not a multiple of the tile\n");
    exit(EXIT_FAILURE);
  }

  void (*kernel)(float *, const float *, int, int);
  const char *kernelName;
  dim3 grid(size_x / TILE_DIM, size_y / TILE_DIM), threads(TILE_DIM, BLOCK_ROWS);
  size_t mem_size = static_cast<size_t>(sizeof(float) * size_x * size_y);

  float *h_idata = (float *)malloc(mem_size);
  float *h_odata = (float *)malloc(mem_size);
  for (int i = 0; i < (size_x * size_y); ++i) h_idata[i] = (float)i;

  float *d_idata, *d_odata;
  checkCudaErrors(cudaMalloc((void **)&d_idata, mem_size));
  checkCudaErrors(cudaMalloc((void **)&d_odata, mem_size));
  checkCudaErrors(cudaMemcpy(d_idata, h_idata, mem_size, cudaMemcpyHostToDevice));

  cudaEvent_t start, stop;
  for (int k = 0; k < 3; k++) {
    switch (k) {
      case 0: kernel = &copyRows; kernelName = "copy"; break;
      case 1: kernel = &transposeNaive; kernelName = "naive"; break;
      case 2: kernel = &transposeNoConflicts; kernelName = "padded"; break;
    }
    kernel<<<grid, threads>>>(d_odata, d_idata, size_x, size_y);
    checkCudaErrors(cudaGetLastError());
  }
  transposeNoConflicts<<<grid, threads>>>(d_odata, d_idata, size_x, size_y);
  checkCudaErrors(cudaMemcpy(h_odata, d_odata, mem_size, cudaMemcpyDeviceToHost));
  return EXIT_SUCCESS;
}
