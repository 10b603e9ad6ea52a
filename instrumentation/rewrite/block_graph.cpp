#include "instrumentation/rewrite/block_graph.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "ptx/dominators.h"
#include "ptx/opcodes.h"

namespace warplens::instrumentation {

namespace {

using Labels = std::map<std::pair<std::uint32_t, std::string_view>, BasicBlockId>;  // by function and name

/// A label leads to the first site after it in its function.
Labels find_labels(const ptx::Module& module, const ptx::NumberedProgram& numbered) {
    Labels labels;
    const auto& origins = numbered.origins;
    for (SiteId site = 0; site < origins.size();) {
        const std::uint32_t function = origins[site].function;
        const auto& body = module.functions[function].body;
        for (std::uint32_t i = 0; i < body.size(); ++i) {
            if (site < origins.size() && origins[site].function == function && origins[site].statement < i)
                ++site;
            const auto* label = std::get_if<ptx::LabelStatement>(&body[i]);
            if (label != nullptr && site < origins.size() && origins[site].function == function)
                labels.emplace(std::pair{function, std::string_view(label->name)},
                               numbered.program.sites[site].basic_block);
        }
        while (site < origins.size() && origins[site].function == function) ++site;
    }
    return labels;
}

void add_edge(BlockGraph& graph, BasicBlockId from, BasicBlockId to) {
    auto& successors = graph.nodes[from].successors;
    if (std::find(successors.begin(), successors.end(), to) != successors.end()) return;
    successors.push_back(to);
    graph.nodes[to].predecessors.push_back(from);
}

}  // namespace

BlockGraph build_block_graph(const ptx::Module& module, const ptx::NumberedProgram& numbered) {
    const auto& blocks = numbered.program.basic_blocks;
    const Labels labels = find_labels(module, numbered);
    BlockGraph graph;
    graph.nodes.resize(blocks.size());
    for (BasicBlockId b = 0; b < blocks.size(); ++b) {
        const ptx::SiteOrigin& first = numbered.origins[blocks[b].first_site];
        graph.nodes[b].function = first.function;
        graph.nodes[b].begins_function = b == 0 || graph.nodes[b - 1].function != first.function;
    }
    for (BasicBlockId b = 0; b < blocks.size(); ++b) {
        BlockNode& node = graph.nodes[b];
        const ptx::SiteOrigin& origin = numbered.origins[blocks[b].first_site + blocks[b].site_count - 1];
        const auto& last =
            std::get<ptx::Instruction>(module.functions[origin.function].body[origin.statement]);
        const SiteKind kind = ptx::site_kind(last);
        if (kind == SiteKind::branch && last.opcode == "brx") {
            const auto begin = labels.lower_bound({node.function, ""});
            for (auto label = begin; label != labels.end() && label->first.first == node.function; ++label)
                add_edge(graph, b, label->second);
        } else if (kind == SiteKind::branch) {
            for (const ptx::Operand& operand : last.operands)
                if (const auto* label = std::get_if<ptx::Label>(&operand.value))
                    if (const auto at = labels.find({node.function, label->name}); at != labels.end()) {
                        node.jumps_to = at->second;
                        add_edge(graph, b, at->second);
                    }
            node.leaves = node.jumps_to == no_index;  // to the end of the function
        }
        node.leaves |= kind == SiteKind::exit;
        const bool goes_on = (kind != SiteKind::branch && kind != SiteKind::exit) || last.has_guard;
        if (!goes_on) continue;
        if (b + 1 < blocks.size() && graph.nodes[b + 1].function == node.function) {
            node.falls_into = b + 1;
            add_edge(graph, b, b + 1);
        } else {
            node.leaves = true;
        }
    }
    return graph;
}

bool BlockGraph::reaches(BasicBlockId from, BasicBlockId to, BasicBlockId avoiding) const {
    std::vector<bool> seen(nodes.size(), false);
    std::vector<BasicBlockId> open{from};
    while (!open.empty()) {
        const BasicBlockId at = open.back();
        open.pop_back();
        for (const BasicBlockId next : nodes[at].successors) {
            if (next == to) return true;
            if (next == avoiding || seen[next]) continue;
            seen[next] = true;
            open.push_back(next);
        }
    }
    return false;
}

bool BlockGraph::encloses(BasicBlockId fork, BasicBlockId join) const {
    // Nothing leaves, and no loop turns, between the two.
    std::vector<bool> seen(nodes.size(), false);
    std::vector<BasicBlockId> open{fork};
    bool comes = false;
    while (!open.empty()) {
        const BasicBlockId at = open.back();
        open.pop_back();
        if (nodes[at].leaves) return false;
        for (const BasicBlockId next : nodes[at].successors) {
            comes |= next == join;
            if (next == fork) return false;
            if (next == join || seen[next]) continue;
            seen[next] = true;
            open.push_back(next);
        }
    }
    return comes && !reaches(join, join, fork);
}

std::vector<BasicBlockId> immediate_dominators(const BlockGraph& graph) {
    // One more node stands before the beginnings of all functions.
    const auto root = static_cast<BasicBlockId>(graph.nodes.size());
    ptx::Graph whole;
    for (const BlockNode& node : graph.nodes) {
        whole.successors.push_back(node.successors);
        whole.predecessors.push_back(node.predecessors);
    }
    whole.successors.emplace_back();
    whole.predecessors.emplace_back();
    for (BasicBlockId b = 0; b < root; ++b)
        if (graph.nodes[b].begins_function) {
            whole.successors[root].push_back(b);
            whole.predecessors[b].push_back(root);
        }
    std::vector<BasicBlockId> dominators = ptx::immediate_dominators(whole, root);
    dominators.pop_back();
    for (BasicBlockId& dominator : dominators)
        if (dominator == root) dominator = no_index;
    return dominators;
}

std::vector<bool> loop_from(const BlockGraph& graph, const std::vector<BasicBlockId>& dominators,
                            BasicBlockId begin) {
    const auto dominates = [&](BasicBlockId b) {
        while (b != no_index && b != begin) b = dominators[b];
        return b == begin;
    };
    std::vector<bool> loop(graph.nodes.size(), false);
    std::vector<BasicBlockId> waiting;
    const auto add = [&](BasicBlockId b) {
        if (!loop[b]) waiting.push_back(b);
        loop[b] = true;
    };
    for (const BasicBlockId before : graph.nodes[begin].predecessors)
        if (dominates(before)) {
            loop[begin] = true;
            add(before);
        }
    while (!waiting.empty()) {
        const BasicBlockId b = waiting.back();
        waiting.pop_back();
        if (b == begin) continue;
        for (const BasicBlockId before : graph.nodes[b].predecessors) add(before);
    }
    return loop;
}

std::vector<BasicBlockId> immediate_post_dominators(const BlockGraph& graph) {
    const auto end = static_cast<BasicBlockId>(graph.nodes.size());
    BlockGraph turned;
    turned.nodes.resize(graph.nodes.size() + 1);
    turned.nodes[end].begins_function = true;
    for (BasicBlockId b = 0; b < end; ++b) {
        turned.nodes[b].successors = graph.nodes[b].predecessors;
        turned.nodes[b].predecessors = graph.nodes[b].successors;
        if (!graph.nodes[b].leaves) continue;
        turned.nodes[b].predecessors.push_back(end);
        turned.nodes[end].successors.push_back(b);
    }
    std::vector<BasicBlockId> dominators = immediate_dominators(turned);
    dominators.pop_back();
    for (BasicBlockId& dominator : dominators)
        if (dominator == end) dominator = no_index;
    return dominators;
}

}  // namespace warplens::instrumentation
