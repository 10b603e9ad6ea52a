// Graphs: their nodes are carried out one after another, each after those that it depends on.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "../program/capture.h"
#include "../program/launch.h"
#include "arrays.h"
#include "copies.h"
#include "errors.h"
#include "streams.h"

struct CUgraphExec_st {
    std::vector<std::shared_ptr<CUgraphNode_st>> nodes;  // in the order in which they are carried out
    std::map<cudaGraphNode_t, std::shared_ptr<CUgraphNode_st>> copies;  // by the graph's node
};

enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2
};
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0,
    cudaStreamCaptureStatusActive = 1,
    cudaStreamCaptureStatusInvalidated = 2
};
enum cudaGraphExecUpdateResult { cudaGraphExecUpdateSuccess = 0, cudaGraphExecUpdateError = 1 };
struct cudaGraphExecUpdateResultInfo {
    cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
};
enum { cudaGraphInstantiateFlagAutoFreeOnLaunch = 1 };

struct cudaKernelNodeParams {
    void* func;
    dim3 gridDim, blockDim;
    unsigned int sharedMemBytes;
    void** kernelParams;
    void** extra;
};
struct cudaMemsetParams {
    void* dst;
    std::size_t pitch;
    unsigned int value, elementSize;
    std::size_t width, height;
};
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void* userData;
};

namespace warplens_program {

inline cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                            std::size_t count, cudaGraphNodeType type, std::function<void()> run) {
    if (node == nullptr || graph == nullptr) return ended(cudaErrorInvalidValue);
    *node = graph->add(type, std::move(run), {after, after + count});
    return ended(cudaSuccess);
}

/// The launch with its arguments as they are now.
inline std::function<void()> launch_of(const cudaKernelNodeParams& node, const char* file, int line) {
    auto launch = std::make_shared<Launch>();
    kept_launch = launch.get();
    launch_at(node.func, {file, line, node.gridDim, node.blockDim, node.sharedMemBytes}, {node.kernelParams});
    kept_launch = nullptr;
    return [launch] { carry_out(*launch); };
}

inline std::function<void()> set_of(const cudaMemsetParams& set) {
    return [set] {
        for (std::size_t row = 0; row < set.height; ++row) {
            char* const begin = static_cast<char*>(set.dst) + row * set.pitch;
            if (!is_side_of_copy(begin, set.width * set.elementSize, true)) {
                last_error = cudaErrorInvalidValue;
                return;
            }
            for (std::size_t i = 0; i < set.width; ++i)
                std::memcpy(begin + i * set.elementSize, &set.value, set.elementSize);
            Arena::instance().mark_filled(begin);
        }
    };
}

/// Each node after those that it depends on; else as they were added.
inline void append_in_order(const CUgraph_st& graph, const std::shared_ptr<CUgraphNode_st>& node,
                            std::set<const CUgraphNode_st*>& done, CUgraphExec_st& to) {
    if (!done.insert(node.get()).second) return;
    for (const auto& other : graph.nodes)
        for (const cudaGraphNode_t before : node->after)
            if (other.get() == before) append_in_order(graph, other, done, to);
    to.nodes.push_back(std::make_shared<CUgraphNode_st>(*node));
    to.copies[node.get()] = to.nodes.back();
}

inline void make_exec(const CUgraph_st& graph, CUgraphExec_st& exec) {
    exec = {};
    std::set<const CUgraphNode_st*> done;
    for (const auto& node : graph.nodes) append_in_order(graph, node, done, exec);
}

inline cudaError_t change_exec(cudaGraphExec_t exec, cudaGraphNode_t node, std::function<void()> run) {
    const auto found = exec->copies.find(node);
    if (found == exec->copies.end()) return ended(cudaErrorInvalidValue);
    found->second->run = std::move(run);
    return ended(cudaSuccess);
}

}  // namespace warplens_program

inline cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    auto graph = std::make_unique<CUgraph_st>();
    if (stream == nullptr || !warplens_program::Captures::instance().begin(stream, graph.get()))
        return warplens_program::ended(cudaErrorInvalidValue);
    graph.release();
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    *graph = warplens_program::Captures::instance().end(stream);
    return warplens_program::ended(*graph == nullptr ? cudaErrorInvalidValue : cudaSuccess);
}
inline cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    const bool captured = warplens_program::Captures::instance().graph_of(stream) != nullptr;
    *status = captured ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) {
    return warplens_program::ended(cudaSuccess);
}

inline cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int) {
    *graph = new CUgraph_st;
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete graph;
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaGraphClone(cudaGraph_t* copy, cudaGraph_t graph) {
    CUgraphExec_st ordered;
    warplens_program::make_exec(*graph, ordered);
    *copy = new CUgraph_st{ordered.nodes};
    cudaGraphNode_t before = nullptr;
    for (const auto& node : (*copy)->nodes) {
        node->after.clear();
        if (before != nullptr) node->after.push_back(before);
        before = node.get();
    }
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
    for (std::size_t i = 0; nodes != nullptr && i < *count && i < graph->nodes.size(); ++i)
        nodes[i] = graph->nodes[i].get();
    *count = graph->nodes.size();
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
    *type = node->type;
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t* from,
                                            const cudaGraphNode_t* to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[i]->after.push_back(from[i]);
    return warplens_program::ended(cudaSuccess);
}

inline cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                          const cudaGraphNode_t* after, std::size_t count,
                                          const cudaKernelNodeParams* parameters,
                                          const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return warplens_program::add_node(node, graph, after, count, cudaGraphNodeTypeKernel,
                                      warplens_program::launch_of(*parameters, file, line));
}
inline cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters,
                                                const char* file = __builtin_FILE(),
                                                int line = __builtin_LINE()) {
    node->run = warplens_program::launch_of(*parameters, file, line);
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                    const cudaKernelNodeParams* parameters,
                                                    const char* file = __builtin_FILE(),
                                                    int line = __builtin_LINE()) {
    return warplens_program::change_exec(exec, node, warplens_program::launch_of(*parameters, file, line));
}
inline cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                          const cudaGraphNode_t* after, std::size_t count,
                                          const cudaMemcpy3DParms* copy) {
    return warplens_program::add_node(node, graph, after, count, cudaGraphNodeTypeMemcpy,
                                      [all = *copy] { cudaMemcpy3D(&all); });
}
inline cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                            const cudaGraphNode_t* after, std::size_t count, void* to,
                                            const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return warplens_program::add_node(node, graph, after, count, cudaGraphNodeTypeMemcpy,
                                      [=] { cudaMemcpy(to, from, bytes, kind); });
}
inline cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                                      const void* from, std::size_t bytes,
                                                      cudaMemcpyKind kind) {
    return warplens_program::change_exec(exec, node, [=] { cudaMemcpy(to, from, bytes, kind); });
}
inline cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                          const cudaGraphNode_t* after, std::size_t count,
                                          const cudaMemsetParams* set) {
    return warplens_program::add_node(node, graph, after, count, cudaGraphNodeTypeMemset,
                                      warplens_program::set_of(*set));
}
inline cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* after, std::size_t count,
                                        const cudaHostNodeParams* host) {
    return warplens_program::add_node(node, graph, after, count, cudaGraphNodeTypeHost,
                                      [all = *host] { all.fn(all.userData); });
}
inline cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                         const cudaGraphNode_t* after, std::size_t count) {
    return warplens_program::add_node(node, graph, after, count, cudaGraphNodeTypeEmpty, [] {});
}
inline cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                              const cudaGraphNode_t* after, std::size_t count,
                                              cudaGraph_t child) {
    auto inner = std::make_shared<CUgraphExec_st>();
    warplens_program::make_exec(*child, *inner);
    return warplens_program::add_node(node, graph, after, count, cudaGraphNodeTypeGraph, [inner] {
        for (const auto& one : inner->nodes) one->run();
    });
}

inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long = 0) {
    if (exec == nullptr || graph == nullptr) return warplens_program::ended(cudaErrorInvalidValue);
    *exec = new CUgraphExec_st;
    warplens_program::make_exec(*graph, **exec);
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t*, char*,
                                        std::size_t) {
    return cudaGraphInstantiate(exec, graph);
}
inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                 unsigned long long flags) {
    return cudaGraphInstantiate(exec, graph, flags);
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                       cudaGraphExecUpdateResultInfo* info) {
    warplens_program::make_exec(*graph, *exec);
    if (info != nullptr) *info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* node,
                                       cudaGraphExecUpdateResult* result) {
    if (node != nullptr) *node = nullptr;
    if (result != nullptr) *result = cudaGraphExecUpdateSuccess;
    return cudaGraphExecUpdate(exec, graph, static_cast<cudaGraphExecUpdateResultInfo*>(nullptr));
}
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    delete exec;
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) {
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t) {
    if (exec == nullptr) return warplens_program::ended(cudaErrorInvalidValue);
    for (const auto& node : exec->nodes) node->run();
    return cudaPeekAtLastError();
}
