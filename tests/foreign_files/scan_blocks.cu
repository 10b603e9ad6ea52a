#include <iostream>
#include <vector>
#include <numeric>
#include <cuda_runtime.h>
using namespace std;

const int N = 8192;
const int THREADS = 256;

// every block scans its own part
__global__ void scanBlock(int* out, int* sums, const int* in, int n)
{
	extern __shared__ int buffer[];
	int* a = buffer;
	int* b = buffer + blockDim.x;
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	a[threadIdx.x] = i < n ? in[i] : 0;
	__syncthreads();
	for (int step = 1; step < blockDim.x; step *= 2) {
		b[threadIdx.x] = a[threadIdx.x] + (threadIdx.x >= step ? a[threadIdx.x - step] : 0);
		__syncthreads();
		int* t = a; a = b; b = t;
	}
	if (i < n) out[i] = a[threadIdx.x];
	if (threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = a[threadIdx.x];
}

__global__ void addSums(int* out, const int* sums, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (blockIdx.x > 0 && i < n) out[i] += sums[blockIdx.x - 1];
}

int main()
{
	vector<int> h_in(N), h_out(N);
	iota(h_in.begin(), h_in.end(), 1);

	int *d_in, *d_out, *d_sums;
	int blocks = (N + THREADS - 1) / THREADS;
	cudaMalloc(&d_in, N * sizeof(int));
	cudaMalloc(&d_out, N * sizeof(int));
	cudaMalloc(&d_sums, blocks * sizeof(int));
	cudaMemcpy(d_in, h_in.data(), h_in.size() * sizeof(int), cudaMemcpyHostToDevice);

	scanBlock<<<blocks, THREADS, 2 * THREADS * sizeof(int)>>>(d_out, d_sums, d_in, N);
	// the sums fit into one block
	scanBlock<<<1, THREADS, 2 * THREADS * sizeof(int)>>>(d_sums, d_sums + blocks - 1, d_sums, blocks);
	addSums<<<blocks, THREADS>>>(d_out, d_sums, N);

	cudaMemcpy(h_out.data(), d_out, N * sizeof(int), cudaMemcpyDeviceToHost);
	cout << "last: " << h_out[N - 1] << endl;
	cudaFree(d_in); cudaFree(d_out); cudaFree(d_sums);
	return 0;
}
