// Graphs, and streams that are captured into one: their work is kept as a node instead of being done.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "../runtime/handles.h"

enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel = 0,
    cudaGraphNodeTypeMemcpy = 1,
    cudaGraphNodeTypeMemset = 2,
    cudaGraphNodeTypeHost = 3,
    cudaGraphNodeTypeGraph = 4,
    cudaGraphNodeTypeEmpty = 5,
    cudaGraphNodeTypeWaitEvent = 6,
    cudaGraphNodeTypeEventRecord = 7
};

struct CUgraphNode_st {
    cudaGraphNodeType type;
    std::function<void()> run;
    std::vector<cudaGraphNode_t> after;  // nodes of the same graph that come before it
};
struct CUgraph_st {
    std::vector<std::shared_ptr<CUgraphNode_st>> nodes;

    cudaGraphNode_t add(cudaGraphNodeType type, std::function<void()> run,
                        std::vector<cudaGraphNode_t> after) {
        nodes.push_back(
            std::make_shared<CUgraphNode_st>(CUgraphNode_st{type, std::move(run), std::move(after)}));
        return nodes.back().get();
    }
};

namespace warplens_program {

class Captures {
  public:
    static Captures& instance() {
        static Captures& captures = *new Captures;  // stays until the end, for destructors of the program
        return captures;
    }

    bool begin(cudaStream_t stream, cudaGraph_t graph) {
        const std::lock_guard<std::mutex> lock(mutex_);
        return graphs_.emplace(stream, graph).second;
    }
    /// Ends it for all streams that were joined to it; null: the stream is not captured.
    cudaGraph_t end(cudaStream_t stream) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = graphs_.find(stream);
        if (found == graphs_.end()) return nullptr;
        const cudaGraph_t graph = found->second;
        for (auto at = graphs_.begin(); at != graphs_.end();)
            at = at->second == graph ? graphs_.erase(at) : std::next(at);
        return graph;
    }
    /// Null: the stream is not captured.
    cudaGraph_t graph_of(cudaStream_t stream) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = graphs_.find(stream);
        return found == graphs_.end() ? nullptr : found->second;
    }
    /// A stream that waits for an event of a captured one is captured as well.
    void join(cudaStream_t stream, cudaGraph_t graph) {
        const std::lock_guard<std::mutex> lock(mutex_);
        for (const auto& entry : graphs_)
            if (entry.second == graph) {
                graphs_[stream] = graph;
                return;
            }
    }

  private:
    std::mutex mutex_;
    std::map<cudaStream_t, cudaGraph_t> graphs_;
};

/// True when the stream is captured: the work is then a node after all others of its graph.
inline bool captured(cudaStream_t stream, cudaGraphNodeType type, std::function<void()> run) {
    const cudaGraph_t graph = Captures::instance().graph_of(stream);
    if (graph == nullptr) return false;
    std::vector<cudaGraphNode_t> after;
    if (!graph->nodes.empty()) after.push_back(graph->nodes.back().get());
    graph->add(type, std::move(run), std::move(after));
    return true;
}

}  // namespace warplens_program
