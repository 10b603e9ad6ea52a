// Immediate dominators, compared with their definition on random graphs, and their time on large ones.
#include "ptx/dominators.h"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <random>

#include "ptx/control_flow.h"
#include "tests/ptx/ptx_text.h"

namespace warplens::ptx {
namespace {

Graph random_graph(std::mt19937& random, std::uint32_t nodes, std::uint32_t edges) {
    Graph graph{std::vector<std::vector<std::uint32_t>>(nodes),
                std::vector<std::vector<std::uint32_t>>(nodes)};
    for (std::uint32_t i = 0; i < edges; ++i) {
        const auto from = static_cast<std::uint32_t>(random() % nodes);
        const auto to = static_cast<std::uint32_t>(random() % nodes);
        graph.successors[from].push_back(to);
        graph.predecessors[to].push_back(from);
    }
    return graph;
}

/// The nodes that paths from node 0 reach without `without`.
std::vector<bool> reached(const Graph& graph, std::uint32_t without) {
    std::vector<bool> seen(graph.successors.size(), false);
    std::vector<std::uint32_t> open;
    const auto see = [&](std::uint32_t node) {
        if (node == without || seen[node]) return;
        seen[node] = true;
        open.push_back(node);
    };
    see(0);
    while (!open.empty()) {
        const std::uint32_t node = open.back();
        open.pop_back();
        for (const std::uint32_t next : graph.successors[node]) see(next);
    }
    return seen;
}

TEST(dominators, are_those_of_the_definition_on_random_graphs) {
    std::mt19937 random(1);
    for (int round = 0; round < 400; ++round) {
        const std::uint32_t nodes = 2 + static_cast<std::uint32_t>(random() % 12);
        const Graph graph = random_graph(random, nodes, nodes + static_cast<std::uint32_t>(random() % 12));
        const auto dominators = immediate_dominators(graph, 0);
        const auto all = reached(graph, no_node);
        for (std::uint32_t node = 1; node < nodes; ++node) {
            if (!all[node]) {
                EXPECT_EQ(dominators[node], no_node);
                continue;
            }
            std::vector<bool> by_tree(nodes, false), by_definition(nodes, false);
            for (std::uint32_t at = node; at != 0; at = dominators[at]) by_tree[dominators[at]] = true;
            for (std::uint32_t other = 0; other < nodes; ++other)
                by_definition[other] = other != node && all[other] && !reached(graph, other)[node];
            EXPECT_EQ(by_tree, by_definition) << "round " << round << ", node " << node;
        }
    }
}

/// A kernel with that many loops: one after the other, or each inside the one before.
Module loops(int count, bool nested) {
    std::string body;
    const auto branch = [&](int i) { body += fmt::format("@%p1 bra L{};\n", i); };
    for (int i = 0; i < count; ++i) {
        body += fmt::format("L{}:\nadd.u32 %r1, %r1, 1;\n", i);
        if (!nested) branch(i);
    }
    for (int i = count; nested && i-- > 0;) branch(i);
    return parsed(kernel_text(body + "ret;"));
}

TEST(dominators, a_hundred_thousand_backward_labels_are_read) {
    for (const bool nested : {false, true}) {
        const Module module = loops(100'000, nested);
        const ControlFlowGraph graph = build_control_flow(module.functions.at(0));
        EXPECT_FALSE(is_irreducible(graph));
        EXPECT_GE(graph.blocks.size(), nested ? 200'000u : 100'000u);
    }
}

}  // namespace
}  // namespace warplens::ptx
