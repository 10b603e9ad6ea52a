#include "ptx/control_flow.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "ptx/dominators.h"
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
void find_post_dominators(ControlFlowGraph& graph) {
    const auto exit = static_cast<FlowBlockId>(graph.blocks.size());
    Graph reversed{std::vector<std::vector<std::uint32_t>>(exit + 1),
                   std::vector<std::vector<std::uint32_t>>(exit + 1)};
    for (FlowBlockId id = 0; id < exit; ++id) {
        reversed.successors[id] = graph.blocks[id].predecessors;
        reversed.predecessors[id] = graph.blocks[id].successors;
        if (!graph.blocks[id].leaves) continue;
        reversed.successors[exit].push_back(id);
        reversed.predecessors[id].push_back(exit);
    }
    const std::vector<std::uint32_t> dominators = immediate_dominators(reversed, exit);
    for (FlowBlockId id = 0; id < exit; ++id)
        graph.blocks[id].post_dominator = dominators[id] == exit ? no_flow_block : dominators[id];
}

/// When a walk through the tree of dominators enters and leaves each node: a node dominates those entered
/// meanwhile.
class DominatorTree {
  public:
    explicit DominatorTree(const std::vector<std::uint32_t>& dominators)
        : enters_(dominators.size()), leaves_(dominators.size()) {
        std::vector<std::vector<std::uint32_t>> children(dominators.size());
        for (std::uint32_t node = 1; node < dominators.size(); ++node)
            if (dominators[node] != no_node) children[dominators[node]].push_back(node);
        std::uint32_t time = 0;
        std::vector<std::pair<std::uint32_t, std::size_t>> stack{{0, 0}};
        while (!stack.empty()) {
            auto& [node, next] = stack.back();
            if (next == 0) enters_[node] = time++;
            if (next == children[node].size()) {
                leaves_[node] = time;
                stack.pop_back();
            } else {
                stack.emplace_back(children[node][next++], 0);
            }
        }
    }

    bool dominates(std::uint32_t above, std::uint32_t node) const {
        return enters_[above] <= enters_[node] && enters_[node] < leaves_[above];
    }

  private:
    std::vector<std::uint32_t> enters_, leaves_;
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
    find_post_dominators(graph);
    return graph;
}

// A graph is reducible when every edge that a depth-first walk finds going back leads to a dominator of its
// start.
double guessed_instructions(const Function& function) {
    constexpr double most = 1e12;
    const LabelStatements labels = find_labels(function);
    std::unordered_map<std::uint32_t, std::uint32_t> loops;  // first statement to last
    for (std::uint32_t i = 0; i < function.body.size(); ++i)
        if (const Instruction* instruction = instruction_at(function, i);
            instruction && instruction->opcode == "bra")
            for (const std::uint32_t target : target_statements(*instruction, labels))
                if (target <= i) loops[target] = i;
    std::vector<double> factor(function.body.size() + 1, 1);
    for (const auto& [first, last] : loops) {
        factor[first] *= 10;
        factor[last + 1] /= 10;
    }
    double sum = 0, times = 1;
    for (std::uint32_t i = 0; i < function.body.size(); ++i) {
        times *= factor[i];
        if (instruction_at(function, i)) sum = std::min(sum + times, most);
    }
    return sum;
}

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
    Graph forward;
    for (const FlowBlock& block : graph.blocks) {
        forward.successors.push_back(block.successors);
        forward.predecessors.push_back(block.predecessors);
    }
    const DominatorTree tree(immediate_dominators(forward, 0));
    return std::ranges::any_of(back_edges,
                               [&](const auto& edge) { return !tree.dominates(edge.second, edge.first); });
}

}  // namespace warplens::ptx
