__global__ void k(int* p, const int* q, int d) { }
int main() { int* p; int* q; cudaMalloc(&p, 4096); cudaMalloc(&q, 4096);
for (int i = 0; i < 9; ++i) { int b = i < 5 ? i + 1 : 9 - i; k<<<b, 32>>>(p, q, i); }
for (int i = 2; i < 9; i += 3) { dim3 g(1); g.x = i * 2; k<<<g, 32>>>(p + i, q, i); }
for (int i = 0; i < 9; ++i) if (i < 4) k<<<dim3(1, i + 1), 32>>>(p, q, i);
for (int i = 0; i < 9; ++i) { k<<<i + 1, 32>>>(p, q, i); if (done()) break; }
for (int i = 0; i < 65000; ++i) for (int j = 0; j < 1 << 15; ++j) k<<<{i + 1, 2}, {32}>>>(p, q, -INFINITY);
}
