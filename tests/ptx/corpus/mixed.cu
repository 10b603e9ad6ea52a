#include <cstdio>
#include <cassert>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__constant__ float table[4] = {1.f,2.f,3.5f,-1.f};
__device__ int counter;
__device__ const char* names[2] = {"ab","c"};
__device__ __noinline__ float helper(float a, int k){ __shared__ float q[32]; q[k&31]=a; __syncthreads(); return q[31-(k&31)]; }
struct S{ int a; double b; char c[3]; };
__global__ void k1(float* o, S s, cudaTextureObject_t t, const float* __restrict__ p){
  extern __shared__ float dyn[];
  int i=threadIdx.x; float l[8]; for(int j=0;j<8;j++) l[j]=p[j+i];
  o[i]=helper(p[i],s.a)+table[i&3]+l[o[0]>0?i&7:3]+tex2D<float>(t,i,1.f)+dyn[i];
  if(i==5) printf("hi %d %f\n", i, o[i]);
  assert(i<4000);
  atomicAdd(&counter,1);
  int v; asm volatile("{\n .reg .pred p;\n .reg .u32 t<3>;\n setp.ne.u32 p, %1, 0;\n @p mov.u32 t1, 3;\n @!p mov.u32 t1,4;\n mov.u32 %0, t1;\n}\n":"=r"(v):"r"(i));
  auto b=cg::this_thread_block(); auto w=cg::tiled_partition<32>(b);
  o[i]+=v+w.shfl_down(i,3)+names[i&1][0]; b.sync();
}
typedef float (*fp)(float);
__device__ float fa(float x){return x+1;} __device__ float fb(float x){return x*2;}
__device__ fp tab[2]={fa,fb};
__global__ __launch_bounds__(256,2) void k2(float*o,int i){ o[i]=tab[i](o[i]); }
