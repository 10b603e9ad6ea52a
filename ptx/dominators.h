// Immediate dominators of a directed graph. Lengauer, Tarjan: "A Fast Algorithm for Finding Dominators in a
// Flowgraph", with path compression alone: edges times the logarithm of nodes, whatever the graph's shape.
#pragma once

#include <cstdint>
#include <vector>

namespace warplens::ptx {

inline constexpr std::uint32_t no_node = 0xffffffffu;

struct Graph {
    std::vector<std::vector<std::uint32_t>> successors, predecessors;  // by node
};

/// One per node: the last node that every path from `root` to it comes through before it; the root's is the
/// root, that of a node that no path reaches no_node.
std::vector<std::uint32_t> immediate_dominators(const Graph& graph, std::uint32_t root);

}  // namespace warplens::ptx
