#include "ptx/dominators.h"

#include <algorithm>
#include <utility>

namespace warplens::ptx {

namespace {

/// Works on nodes by the number that a depth-first walk gives them, so that `semi` can be compared.
class LengauerTarjan {
  public:
    LengauerTarjan(const Graph& graph, std::uint32_t root)
        : graph_(graph), number_(graph.successors.size(), no_node) {
        walk(root);
    }

    std::vector<std::uint32_t> run() {
        const auto count = static_cast<std::uint32_t>(node_.size());
        std::vector<std::uint32_t> dominator(count, 0);
        std::vector<std::vector<std::uint32_t>> bucket(count);
        for (std::uint32_t w = count - 1; w > 0; --w) {
            for (const std::uint32_t before : graph_.predecessors[node_[w]])
                if (const std::uint32_t v = number_[before]; v != no_node)
                    semi_[w] = std::min(semi_[w], semi_[evaluate(v)]);
            bucket[semi_[w]].push_back(w);
            ancestor_[w] = parent_[w];
            for (const std::uint32_t v : std::exchange(bucket[parent_[w]], {})) {
                const std::uint32_t u = evaluate(v);
                dominator[v] = semi_[u] < semi_[v] ? u : parent_[w];
            }
        }
        for (std::uint32_t w = 1; w < count; ++w)
            if (dominator[w] != semi_[w]) dominator[w] = dominator[dominator[w]];
        std::vector<std::uint32_t> by_node(number_.size(), no_node);
        for (std::uint32_t w = 0; w < count; ++w) by_node[node_[w]] = node_[dominator[w]];
        return by_node;
    }

  private:
    /// With a stack of its own: graphs can be deep.
    void walk(std::uint32_t root) {
        struct Visit {
            std::uint32_t number;
            std::size_t next;
        };
        std::vector<Visit> stack{{add(root, 0), 0}};
        while (!stack.empty()) {
            Visit& top = stack.back();
            const auto& successors = graph_.successors[node_[top.number]];
            if (top.next == successors.size()) {
                stack.pop_back();
            } else if (const std::uint32_t next = successors[top.next++]; number_[next] == no_node) {
                stack.push_back({add(next, top.number), 0});
            }
        }
    }

    std::uint32_t add(std::uint32_t node, std::uint32_t parent) {
        const auto number = static_cast<std::uint32_t>(node_.size());
        number_[node] = number;
        node_.push_back(node);
        parent_.push_back(parent);
        semi_.push_back(number);
        label_.push_back(number);
        ancestor_.push_back(no_node);
        return number;
    }

    /// The node with the least `semi` on the way from `v` up to below the root of its tree.
    std::uint32_t evaluate(std::uint32_t v) {
        if (ancestor_[v] == no_node) return v;
        std::vector<std::uint32_t> path;
        for (std::uint32_t at = v; ancestor_[ancestor_[at]] != no_node; at = ancestor_[at])
            path.push_back(at);
        for (std::size_t i = path.size(); i-- > 0;) {
            const std::uint32_t at = path[i], above = ancestor_[at];
            if (semi_[label_[above]] < semi_[label_[at]]) label_[at] = label_[above];
            ancestor_[at] = ancestor_[above];
        }
        return label_[v];
    }

    const Graph& graph_;
    std::vector<std::uint32_t> number_;                                   // by node
    std::vector<std::uint32_t> node_, parent_, semi_, label_, ancestor_;  // by number
};

}  // namespace

std::vector<std::uint32_t> immediate_dominators(const Graph& graph, std::uint32_t root) {
    return LengauerTarjan(graph, root).run();
}

}  // namespace warplens::ptx
