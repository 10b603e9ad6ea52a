#include "analysis/warps/combine_layout.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace warplens::analysis {
namespace {

/// When something happens: barriers passed, and how many combine one after another since then.
using Time = std::pair<std::uint32_t, std::uint32_t>;

class Layout {
  public:
    Layout(const CombineFlow& flow, CombineOp op, std::span<const std::uint32_t> members) : flow_(flow) {
        tree_.op = op;
        for (const std::uint32_t member : members) {
            index_[member] = static_cast<std::uint32_t>(from_.size());
            from_.push_back(&flow.nodes()[member]);
        }
        tree_.nodes.resize(from_.size());
        times_.resize(from_.size());
    }

    CombineTree make() {
        find_replacing();
        give_first_columns();
        for (std::uint32_t i = 0; i < from_.size(); ++i) {
            while (placement_ < flow_.placements().size() &&
                   flow_.placements()[placement_].nodes_before <= flow_index(i))
                place(flow_.placements()[placement_++]);
            take(i);
        }
        while (placement_ < flow_.placements().size()) place(flow_.placements()[placement_++]);
        give_rows();
        count_rows();
        find_results();
        return std::move(tree_);
    }

  private:
    bool is_leaf(std::uint32_t i) const { return from_[i]->op != tree_.op; }
    std::uint32_t flow_index(std::uint32_t i) const {
        return static_cast<std::uint32_t>(from_[i] - flow_.nodes().data());
    }
    std::uint32_t member(std::uint32_t flow_node) const {
        const auto found = index_.find(flow_node);
        return found == index_.end() ? no_index : found->second;
    }

    /// Leaves that are stored where a value of the tree stands.
    void find_replacing() {
        std::map<std::uint32_t, std::uint32_t> stands;  // by word: node
        for (const CombinePlacement& one : flow_.placements()) {
            const std::uint32_t node = member(one.node);
            if (node == no_index) continue;
            const auto before = stands.find(one.word);
            if (is_leaf(node) && from_[node]->home == one.word && before != stands.end() &&
                before->second != node) {
                const CombineNode& replaced = *from_[before->second];
                const std::uint32_t depth = replaced.barriers == from_[node]->barriers ? replaced.depth : 0;
                replacing_[node] = {from_[node]->barriers, depth + 1};
            }
            stands[one.word] = node;
        }
    }

    /// Of the leaves: in the order of their words, or of their threads.
    void give_first_columns() {
        using Key = std::tuple<bool, std::uint32_t, std::uint32_t>;
        std::vector<std::pair<Key, std::uint32_t>> order;
        std::map<std::uint32_t, std::uint32_t> first_of_thread;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> shared;  // a leaf, and whose column it takes
        for (std::uint32_t i = 0; i < from_.size(); ++i) {
            if (!is_leaf(i) || replacing_.contains(i)) continue;
            const CombineNode& node = *from_[i];
            const auto first = first_of_thread.try_emplace(node.thread, i).first->second;
            const bool later = node.barriers > from_[first]->barriers;
            if (node.home == no_index && first != i && later) shared.emplace_back(i, first);
            else if (node.home == no_index) order.push_back({{false, node.thread, i}, i});
            else order.push_back({{true, node.home, i}, i});
        }
        std::ranges::sort(order);
        for (const auto& [key, leaf] : order) tree_.nodes[leaf].column = tree_.columns++;
        for (const auto& [leaf, first] : shared) tree_.nodes[leaf].column = tree_.nodes[first].column;
    }

    std::uint32_t column_of(const CombineOperand& from) const {
        if (const auto word = words_.find(from.word); from.way == ValueWay::shared && word != words_.end())
            return word->second;
        const std::uint32_t node = member(from.node);
        return node == no_index ? 0 : tree_.nodes[node].column;
    }

    void take(std::uint32_t i) {
        const CombineNode& from = *from_[i];
        TreeNode& node = tree_.nodes[i];
        node.op = is_leaf(i) ? CombineOp::none : tree_.op;
        node.thread = from.thread;
        node.warp = from.warp;
        node.step = from.step;
        node.site = from.site;
        node.word = from.home;
        node.bits = from.bits;
        node.type = from.type;
        node.used = from.used;
        times_[i] = {from.barriers, from.depth};
        if (is_leaf(i)) {
            const auto word = words_.find(from.home);
            if (replacing_.contains(i) && word != words_.end()) node.column = word->second;
            return;
        }
        for (const CombineOperand& one : from.operands)
            node.operands.push_back({member(one.node), column_of(one), one.way});
        node.column = chosen_column(from, node);
    }

    /// The operand's whose place the result takes: that of its word, else that of the thread's own value.
    std::uint32_t chosen_column(const CombineNode& from, const TreeNode& node) const {
        const auto among = [&](std::uint32_t column) {
            return std::ranges::find(node.operands, column, &TreeOperand::column) != node.operands.end();
        };
        if (const auto home = words_.find(from.home); home != words_.end() && among(home->second))
            return home->second;
        if (from.operands.size() > 2) return std::ranges::min(node.operands, {}, &TreeOperand::column).column;
        for (std::size_t i = 0; i < from.operands.size(); ++i)
            if (from.operands[i].way == ValueWay::own) return node.operands[i].column;
        for (std::size_t i = 0; i < from.operands.size(); ++i)
            if (from.operands[i].thread == from.thread) return node.operands[i].column;
        return node.operands.front().column;
    }

    void place(const CombinePlacement& one) {
        const std::uint32_t node = member(one.node);
        if (node == no_index) return;
        const auto read = words_.find(one.from_word);
        const std::uint32_t column = read != words_.end() ? read->second : tree_.nodes[node].column;
        const auto [word, is_new] = words_.try_emplace(one.word, column);
        if (is_new || word->second == column) return;
        const bool copied = one.from_word != no_index && one.from_word != one.word;
        if (!copied) {
            word->second = column;
            return;
        }
        const CombineNode& from = *from_[node];
        const std::uint32_t depth = from.barriers == one.barriers ? from.depth : 0;
        tree_.moves.push_back({node, 0, column, word->second, one.thread});
        move_times_.push_back({one.barriers, depth + 1});
    }

    void give_rows() {
        std::set<Time> times;
        for (std::uint32_t i = 0; i < from_.size(); ++i)
            if (!is_leaf(i)) times.insert(times_[i]);
        for (const Time& time : move_times_) times.insert(time);
        for (const auto& [leaf, time] : replacing_) times.insert(time);
        std::map<Time, std::uint32_t> rows;
        tree_.rows.resize(times.size() + 1);
        std::uint32_t passed = times.empty() ? 0 : times.begin()->first;
        if (!from_.empty()) passed = std::min(passed, from_.front()->barriers);
        for (const Time& time : times) {
            const auto row = static_cast<std::uint32_t>(rows.size() + 1);
            rows[time] = row;
            tree_.rows[row].barriers = time.first - passed;
            passed = time.first;
        }
        for (std::uint32_t i = 0; i < from_.size(); ++i)
            if (!is_leaf(i)) tree_.nodes[i].row = rows[times_[i]];
        for (const auto& [leaf, time] : replacing_) tree_.nodes[leaf].row = rows[time];
        for (std::size_t i = 0; i < tree_.moves.size(); ++i) tree_.moves[i].row = rows[move_times_[i]];
        give_rows_of_leaves();
    }

    /// Directly above their first use.
    void give_rows_of_leaves() {
        std::vector<std::uint32_t> first(from_.size(), no_index);
        for (const TreeNode& node : tree_.nodes)
            for (const TreeOperand& from : node.operands)
                if (from.node != no_index) first[from.node] = std::min(first[from.node], node.row);
        for (std::uint32_t i = 0; i < from_.size(); ++i)
            if (is_leaf(i) && !replacing_.contains(i))
                tree_.nodes[i].row = first[i] == no_index || first[i] == 0 ? 0 : first[i] - 1;
    }

    void count_rows() {
        struct Count {
            std::set<std::uint32_t> threads, warps;
            std::map<SiteId, std::uint32_t> sites;
        };
        std::vector<Count> counts(tree_.rows.size());
        for (std::uint32_t i = 0; i < from_.size(); ++i) {
            const TreeNode& node = tree_.nodes[i];
            TreeRow& row = tree_.rows[node.row];
            tree_.has_result = tree_.has_result || (node.used && !is_leaf(i));
            if (replacing_.contains(i)) ++row.entered;
            if (is_leaf(i)) continue;
            ++row.combined;
            row.used += node.used ? 1 : 0;
            for (const TreeOperand& from : node.operands)
                row.shuffles = row.shuffles || from.way == ValueWay::shuffle;
            Count& count = counts[node.row];
            // A reduction of the warp in one instruction keeps all of its lanes busy.
            if (node.operands.size() > 2)
                for (const CombineOperand& from : from_[i]->operands) count.threads.insert(from.thread);
            else count.threads.insert(node.thread);
            count.warps.insert(node.warp);
            ++count.sites[node.site];
        }
        for (const TreeMove& move : tree_.moves) ++tree_.rows[move.row].moved;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            TreeRow& row = tree_.rows[i];
            row.threads = static_cast<std::uint32_t>(counts[i].threads.size());
            row.warps = static_cast<std::uint32_t>(counts[i].warps.size());
            for (const std::uint32_t warp : counts[i].warps)
                if (warp < 32) row.working |= 1u << warp;
            const auto most =
                std::ranges::max_element(counts[i].sites, {}, [](const auto& one) { return one.second; });
            if (most != counts[i].sites.end()) row.site = most->first;
        }
    }

    void find_results() {
        std::vector<bool> is_operand(from_.size());
        bool stored = false;
        for (std::uint32_t i = 0; i < from_.size(); ++i) {
            stored = stored || (!is_leaf(i) && from_[i]->stored);
            for (const TreeOperand& from : tree_.nodes[i].operands)
                if (from.node != no_index) is_operand[from.node] = true;
        }
        for (std::uint32_t i = 0; i < from_.size(); ++i)
            if (!is_leaf(i) &&
                (stored ? from_[i]->stored : !is_operand[i] && (from_[i]->used || !tree_.has_result)))
                tree_.results.push_back(i);
        for (const TreeRow& row : tree_.rows) {
            tree_.combined += row.combined;
            tree_.used += row.used;
        }
        std::uint32_t begin = no_index;
        for (const CombineNode* node : from_) begin = std::min(begin, node->barriers);
        for (const std::uint32_t result : tree_.results) {
            std::uint32_t inputs = 0;
            for (const std::uint32_t node : nodes_behind(tree_, result))
                inputs +=
                    is_leaf(node) && !replacing_.contains(node) && from_[node]->barriers == begin ? 1 : 0;
            tree_.most_inputs = std::max(tree_.most_inputs, inputs);
        }
    }

    const CombineFlow& flow_;
    std::vector<const CombineNode*> from_;          // of the tree's nodes
    std::map<std::uint32_t, std::uint32_t> index_;  // of a flow's node: the tree's
    std::map<std::uint32_t, Time> replacing_;       // leaves, and when
    std::map<std::uint32_t, std::uint32_t> words_;  // column of a word of shared memory
    std::vector<Time> times_, move_times_;
    std::size_t placement_ = 0;
    CombineTree tree_;
};

}  // namespace

CombineTree lay_out_tree(const CombineFlow& flow, CombineOp op, std::span<const std::uint32_t> members) {
    return Layout(flow, op, members).make();
}

}  // namespace warplens::analysis
