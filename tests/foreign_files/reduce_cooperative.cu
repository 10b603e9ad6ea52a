#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

namespace cg = cooperative_groups;

extern "C" __global__ void sum_all(const double *in, double *out, unsigned int n)
{
    cg::thread_block block = cg::this_thread_block();
    cg::grid_group grid = cg::this_grid();
    extern double __shared__ sdata[];
    sdata[block.thread_rank()] = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size())
        sdata[block.thread_rank()] += in[i];
    cg::sync(block);
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    double beta = sdata[block.thread_rank()];
    beta = cg::reduce(tile, beta, cg::plus<double>());
    cg::sync(block);
    if (tile.thread_rank() == 0) sdata[block.thread_rank() / 32] = beta;
    cg::sync(block);
    if (block.thread_rank() == 0) {
        double sum = 0;
        for (int i = 0; i < block.size() / 32; i++) sum += sdata[i];
        out[blockIdx.x] = sum;
    }
    cg::sync(grid);
    if (grid.thread_rank() == 0)
        for (int i = 1; i < gridDim.x; i++) out[0] += out[i];
}

static void call(int size, int threads, int blocks, double *d_in, double *d_out)
{
    dim3 dimBlock(threads), dimGrid(blocks);
    int smem = threads * sizeof(double);
    void *args[] = { (void *)&d_in, (void *)&d_out, (void *)&size };
    cudaLaunchCooperativeKernel((void *)sum_all, dimGrid, dimBlock, args, smem, NULL);
}

int main(int argc, char **argv)
{
    const int size = 1 << 16;
    double *h_in = (double *)malloc(size * sizeof(double)), *d_in, *d_out;
    for (int i = 0; i < size; i++) h_in[i] = (double)(rand() % 100) / 100.0;
    cudaDeviceProp prop = { 0 };
    cudaGetDeviceProperties(&prop, 0);
    int threads = prop.maxThreadsPerBlock / 4;
    int blocks = prop.multiProcessorCount / 2;
    cudaMalloc((void **)&d_in, size * sizeof(double));
    cudaMalloc((void **)&d_out, blocks * sizeof(double));
    cudaMemcpy(d_in, h_in, size * sizeof(double), cudaMemcpyHostToDevice);
    call(size, threads, blocks, d_in, d_out);
    printf("done\n");
    free(h_in);
    return 0;
}
