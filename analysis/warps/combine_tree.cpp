#include "analysis/warps/combine_tree.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "analysis/warps/combine_layout.h"

namespace warplens::analysis {
namespace {

/// Sets of nodes that grow together.
class Groups {
  public:
    explicit Groups(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }
    std::uint32_t of(std::uint32_t node) {
        while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
        return node;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = of(a);
        b = of(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

  private:
    std::vector<std::uint32_t> parent_;
};

/// Whether an operand was itself combined in the same way by another thread: what makes a tree of it.
bool crosses(const std::vector<CombineNode>& nodes, const CombineNode& node) {
    if (node.op == CombineOp::none) return false;
    if (node.operands.size() > 2) return true;
    return std::ranges::any_of(node.operands, [&](const CombineOperand& from) {
        const CombineNode& operand = nodes[from.node];
        return from.way != ValueWay::own && operand.op == node.op && operand.thread != node.thread;
    });
}

}  // namespace

namespace {

/// The nodes of each tree of one operation, with what enters them.
std::vector<std::vector<std::uint32_t>> trees_of(const std::vector<CombineNode>& nodes, CombineOp op) {
    Groups groups(nodes.size());
    std::vector<bool> belongs(nodes.size());
    std::map<std::uint32_t, std::vector<std::uint32_t>> members;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].op != op) continue;
        belongs[i] = true;
        for (const CombineOperand& from : nodes[i].operands) {
            groups.join(i, from.node);
            belongs[from.node] = true;
        }
    }
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].op == op && crosses(nodes, nodes[i])) members[groups.of(i)];
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
        if (belongs[i])
            if (const auto tree = members.find(groups.of(i)); tree != members.end())
                tree->second.push_back(i);
    std::vector<std::vector<std::uint32_t>> trees;
    for (auto& [group, list] : members) trees.push_back(std::move(list));
    return trees;
}

}  // namespace

CombineTrees combine_trees(const CombineFlow& flow) {
    struct Found {
        CombineOp op;
        std::vector<std::uint32_t> members;
    };
    std::vector<Found> all;
    for (auto op = static_cast<std::uint8_t>(CombineOp::add);
         op <= static_cast<std::uint8_t>(CombineOp::bit_xor); ++op)
        for (auto& members : trees_of(flow.nodes(), static_cast<CombineOp>(op)))
            all.push_back({static_cast<CombineOp>(op), std::move(members)});
    std::ranges::stable_sort(all, {}, [](const Found& one) { return one.members.front(); });
    CombineTrees trees;
    for (const Found& one : all) {
        if (trees.trees.size() == most_trees) {
            ++trees.left_out;
            continue;
        }
        trees.trees.push_back(lay_out_tree(flow, one.op, one.members));
    }
    return trees;
}

std::vector<std::uint32_t> nodes_behind(const CombineTree& tree, std::uint32_t node) {
    std::vector<bool> behind(tree.nodes.size());
    if (node < behind.size()) behind[node] = true;
    std::vector<std::uint32_t> found;
    for (std::size_t i = behind.size(); i-- > 0;) {
        if (!behind[i]) continue;
        found.push_back(static_cast<std::uint32_t>(i));
        for (const TreeOperand& from : tree.nodes[i].operands)
            if (from.node != no_index) behind[from.node] = true;
    }
    std::ranges::reverse(found);
    return found;
}

}  // namespace warplens::analysis
