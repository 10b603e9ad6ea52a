#include "ptx/control_flow.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "ptx/opcodes.h"

namespace warplens::ptx {

namespace {

const Instruction* instruction_at(const Function& function, std::uint32_t statement) {
    return std::get_if<Instruction>(&function.body[statement]);
}

bool transfers_control(const Instruction& instruction) {
    const SiteKind kind = site_kind(instruction);
    return kind == SiteKind::branch || kind == SiteKind::exit;
}

using LabelStatements = std::unordered_map<std::string_view, std::uint32_t>;

LabelStatements find_labels(const Function& function) {
    LabelStatements labels;
    for (std::uint32_t i = 0; i < function.body.size(); ++i)
        if (const auto* label = std::get_if<LabelStatement>(&function.body[i]))
            labels.emplace(label->name, i);
    return labels;
}

/// Labels that a branch can go to: its target, or for brx.idx every label, since its table is kept as text.
std::vector<std::uint32_t> target_statements(const Instruction& branch, const LabelStatements& labels) {
    std::vector<std::uint32_t> targets;
    if (branch.opcode == "brx") {
        for (const auto& [name, statement] : labels) targets.push_back(statement);
        std::sort(targets.begin(), targets.end());
        return targets;
    }
    for (const Operand& operand : branch.operands)
        if (const auto* label = std::get_if<Label>(&operand.value))
            if (const auto found = labels.find(label->name); found != labels.end())
                targets.push_back(found->second);
    return targets;
}

void cut_blocks(const Function& function, const LabelStatements& labels, ControlFlowGraph& graph) {
    const auto size = static_cast<std::uint32_t>(function.body.size());
    std::vector<bool> begins(size + 1, false);
    if (size == 0) return;
    begins[0] = true;
    for (std::uint32_t i = 0; i < size; ++i) {
        const Instruction* instruction = instruction_at(function, i);
        if (instruction == nullptr || !transfers_control(*instruction)) continue;
        begins[i + 1] = true;
        for (const std::uint32_t target : target_statements(*instruction, labels)) begins[target] = true;
    }
    for (std::uint32_t i = 0; i < size; ++i) {
        if (begins[i]) graph.blocks.emplace_back().first_statement = i;
        graph.blocks.back().end_statement = i + 1;
    }
}

void add_edge(ControlFlowGraph& graph, FlowBlockId from, FlowBlockId to) {
    auto& successors = graph.blocks[from].successors;
    if (std::find(successors.begin(), successors.end(), to) != successors.end()) return;
    successors.push_back(to);
    graph.blocks[to].predecessors.push_back(from);
}

void connect(const Function& function, const LabelStatements& labels, ControlFlowGraph& graph) {
    const auto count = static_cast<FlowBlockId>(graph.blocks.size());
    for (FlowBlockId id = 0; id < count; ++id) {
        const Instruction* last = instruction_at(function, graph.blocks[id].end_statement - 1);
        bool falls_through = true;
        if (last != nullptr && transfers_control(*last)) {
            falls_through = last->has_guard;
            if (site_kind(*last) == SiteKind::exit) graph.blocks[id].leaves = true;
            for (const std::uint32_t target : target_statements(*last, labels))
                add_edge(graph, id, graph.block_of(target));
        }
        if (!falls_through) continue;
        if (id + 1 < count) add_edge(graph, id, id + 1);
        else graph.blocks[id].leaves = true;
    }
}

/// Post-dominators are dominators of the reversed graph, with one exit node after all blocks that leave.
/// Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm".
class PostDominators {
  public:
    explicit PostDominators(ControlFlowGraph& graph)
        : graph_(graph),
          exit_(static_cast<FlowBlockId>(graph.blocks.size())),
          order_(graph.blocks.size() + 1, unreached),
          dominator_(graph.blocks.size() + 1, no_flow_block) {}

    void compute() {
        number_from_exit();
        dominator_[exit_] = exit_;
        for (bool changed = true; changed;) {
            changed = false;
            for (auto block = postorder_.rbegin(); block != postorder_.rend(); ++block)
                if (*block != exit_) changed |= update(*block);
        }
        for (FlowBlockId id = 0; id < exit_; ++id)
            graph_.blocks[id].post_dominator = dominator_[id] == exit_ ? no_flow_block : dominator_[id];
    }

  private:
    static constexpr std::uint32_t unreached = 0xffffffffu;

    /// Depth first from the exit against the edges, with a stack of our own: functions can be long.
    void number_from_exit() {
        std::vector<FlowBlockId> leaving;
        for (FlowBlockId id = 0; id < exit_; ++id)
            if (graph_.blocks[id].leaves) leaving.push_back(id);
        struct Visit {
            FlowBlockId block;
            std::size_t next;
        };
        std::vector<bool> seen(order_.size(), false);
        std::vector<Visit> stack{{exit_, 0}};
        seen[exit_] = true;
        while (!stack.empty()) {
            Visit& top = stack.back();
            const auto& before = top.block == exit_ ? leaving : graph_.blocks[top.block].predecessors;
            if (top.next == before.size()) {
                order_[top.block] = static_cast<std::uint32_t>(postorder_.size());
                postorder_.push_back(top.block);
                stack.pop_back();
            } else if (const FlowBlockId next = before[top.next++]; !seen[next]) {
                seen[next] = true;
                stack.push_back({next, 0});
            }
        }
    }

    bool update(FlowBlockId block) {
        FlowBlockId dominator = graph_.blocks[block].leaves ? exit_ : no_flow_block;
        for (const FlowBlockId successor : graph_.blocks[block].successors) {
            if (order_[successor] == unreached || dominator_[successor] == no_flow_block) continue;
            dominator = dominator == no_flow_block ? successor : intersect(dominator, successor);
        }
        if (dominator_[block] == dominator) return false;
        dominator_[block] = dominator;
        return true;
    }

    FlowBlockId intersect(FlowBlockId a, FlowBlockId b) const {
        while (a != b) {
            while (order_[a] < order_[b]) a = dominator_[a];
            while (order_[b] < order_[a]) b = dominator_[b];
        }
        return a;
    }

    ControlFlowGraph& graph_;
    FlowBlockId exit_;
    std::vector<std::uint32_t> order_;  // postorder number
    std::vector<FlowBlockId> postorder_;
    std::vector<FlowBlockId> dominator_;
};

}  // namespace

FlowBlockId ControlFlowGraph::block_of(std::uint32_t statement) const {
    const auto after = std::upper_bound(
        blocks.begin(), blocks.end(), statement,
        [](std::uint32_t value, const FlowBlock& block) { return value < block.first_statement; });
    return static_cast<FlowBlockId>(after - blocks.begin()) - 1;
}

ControlFlowGraph build_control_flow(const Function& function) {
    ControlFlowGraph graph;
    const LabelStatements labels = find_labels(function);
    cut_blocks(function, labels, graph);
    connect(function, labels, graph);
    PostDominators(graph).compute();
    return graph;
}

// A graph is reducible when every edge that a depth-first walk finds going back leads to a dominator of its
// start.
bool is_irreducible(const ControlFlowGraph& graph) {
    const std::size_t count = graph.blocks.size();
    if (count == 0) return false;
    enum class State : std::uint8_t { fresh, open, done };
    std::vector<State> state(count, State::fresh);
    struct Visit {
        FlowBlockId block;
        std::size_t next;
    };
    std::vector<std::pair<FlowBlockId, FlowBlockId>> back_edges;
    std::vector<Visit> stack{{0, 0}};
    state[0] = State::open;
    while (!stack.empty()) {
        Visit& top = stack.back();
        const auto& successors = graph.blocks[top.block].successors;
        if (top.next == successors.size()) {
            state[top.block] = State::done;
            stack.pop_back();
            continue;
        }
        const FlowBlockId next = successors[top.next++];
        if (state[next] == State::open) back_edges.emplace_back(top.block, next);
        if (state[next] != State::fresh) continue;
        state[next] = State::open;
        stack.push_back({next, 0});
    }
    // `to` dominates `from` when no path from the beginning reaches `from` without it.
    return std::any_of(back_edges.begin(), back_edges.end(), [&](const auto& edge) {
        const auto [from, to] = edge;
        if (to == 0) return false;
        std::vector<bool> seen(count, false);
        std::vector<FlowBlockId> open{0};
        seen[0] = true;
        while (!open.empty()) {
            const FlowBlockId block = open.back();
            open.pop_back();
            if (block == from) return true;
            for (const FlowBlockId next : graph.blocks[block].successors)
                if (next != to && !seen[next]) {
                    seen[next] = true;
                    open.push_back(next);
                }
        }
        return false;
    });
}

}  // namespace warplens::ptx
