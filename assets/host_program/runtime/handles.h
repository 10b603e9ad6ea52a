// The handles that CUDA's calls pass around.
#pragma once

struct CUstream_st;
struct CUevent_st;
struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUmemPoolHandle_st;
struct CUgraph_st;
struct CUgraphExec_st;
struct CUgraphNode_st;

typedef CUstream_st* cudaStream_t;
typedef CUevent_st* cudaEvent_t;
typedef CUfunc_st* cudaFunction_t;
typedef CUmemPoolHandle_st* cudaMemPool_t;
typedef CUgraph_st* cudaGraph_t;
typedef CUgraphExec_st* cudaGraphExec_t;
typedef CUgraphNode_st* cudaGraphNode_t;
