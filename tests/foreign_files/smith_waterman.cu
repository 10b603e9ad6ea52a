// Smith-Waterman local alignment, one anti-diagonal of tiles per launch.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#include <cuda_runtime.h>

#define TILE 32
#define MATCH 2
#define MISMATCH -1
#define GAP -1
#define MAX(a, b) ((a) > (b) ? (a) : (b))

#define CUDA_CALL(x) do { if((x) != cudaSuccess) { \
    printf("Error at %s:%d\n",__FILE__,__LINE__); \
    return EXIT_FAILURE;}} while(0)

__global__ void sw_tile(const char *a, const char *b, int *H, int cols, int diag, int firstTileRow, int *best) {
  __shared__ int s[TILE + 1][TILE + 1];
  __shared__ char sa[TILE], sb[TILE];
  const int tr = firstTileRow + blockIdx.x;
  const int tc = diag - tr;
  const int r0 = tr * TILE, c0 = tc * TILE;
  const int t = threadIdx.x;

  sa[t] = a[r0 + t];
  sb[t] = b[c0 + t];
  s[0][t + 1] = H[r0 * cols + c0 + t + 1];
  s[t + 1][0] = H[(r0 + t + 1) * cols + c0];
  if (t == 0) s[0][0] = H[r0 * cols + c0];
  __syncthreads();

  int localBest = 0;
  for (int d = 0; d < 2 * TILE - 1; ++d) {
    int r = t, c = d - t;
    if (c >= 0 && c < TILE) {
      int score = s[r][c] + (sa[r] == sb[c] ? MATCH : MISMATCH);
      score = MAX(score, s[r][c + 1] + GAP);
      score = MAX(score, s[r + 1][c] + GAP);
      score = MAX(score, 0);
      s[r + 1][c + 1] = score;
      localBest = MAX(localBest, score);
    }
    __syncthreads();
  }
  for (int i = 0; i < TILE; ++i) H[(r0 + i + 1) * cols + c0 + t + 1] = s[i + 1][t + 1];
  atomicMax(best, localBest);
}

static std::string random_sequence(int length) {
  static const char letters[] = "ACGT";
  std::string s;
  for (int i = 0; i < length; ++i) s += letters[rand() % 4];
  return s;
}

int main(int argc, char **argv) {
  int length = 1024;
  if (argc > 1) length = atoi(argv[1]);
  srand(7);
  std::string a = random_sequence(length), b = random_sequence(length);
  const int tiles = length / TILE;
  const int cols = length + 1;
  char *d_a, *d_b;
  int *d_H, *d_best;
  CUDA_CALL(cudaMalloc(&d_a, length));
  CUDA_CALL(cudaMalloc(&d_b, length));
  CUDA_CALL(cudaMalloc(&d_H, (size_t)cols * cols * sizeof(int)));
  CUDA_CALL(cudaMalloc(&d_best, sizeof(int)));
  CUDA_CALL(cudaMemcpy(d_a, a.c_str(), length, cudaMemcpyHostToDevice));
  CUDA_CALL(cudaMemcpy(d_b, b.c_str(), length, cudaMemcpyHostToDevice));
  CUDA_CALL(cudaMemset(d_H, 0, (size_t)cols * cols * sizeof(int)));
  CUDA_CALL(cudaMemset(d_best, 0, sizeof(int)));
  for (int diag = 0; diag < 2 * tiles - 1; ++diag) {
    int first = diag < tiles ? 0 : diag - tiles + 1;
    int last = diag < tiles ? diag : tiles - 1;
    sw_tile<<<last - first + 1, TILE>>>(d_a, d_b, d_H, cols, diag, first, d_best);
  }
  int best = 0;
  CUDA_CALL(cudaMemcpy(&best, d_best, sizeof(int), cudaMemcpyDeviceToHost));
  printf("best score %d\n", best);
  return 0;
}
