__global__ void f(float* p, int n) {}
__global__ void f(const float2* p, int n, float s = 1) {}
template <class T> struct A { T* p; A(int n) { cudaMalloc(&p, n * sizeof(T)); } operator T*() { return p; } };
void g(float2* p, int n, int s = 0) { f<<<n, 32, 0, s>>>(p, n, 2.0f); }
void g(float* p, int n, int s = 0) { f<<<n / 32, 32>>>(p, n); }
int main() { A<float> a(64), c(32); float2* b; cudaMalloc(&b, 512); g(b, 64); f<<<2, 32>>>(a, 64); g(c, 32); }
