#include "simt/timing/lowering/schedule_block.h"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>

#include "simt/timing/lowering/live_values.h"

namespace warplens::simt::lowering {

namespace {

/// The load latency that ordering assumes, because the assembler does not model caches.
int expected_latency(const Issue& issue, const SmTiming& timing) {
    switch (issue.op.kind) {
        case MachineKind::load:
            return issue.op.pipe == Pipe::mio ? timing.shared_load_latency : timing.l2_hit_latency;
        case MachineKind::atomic:
            return issue.op.pipe == Pipe::mio ? timing.shared_atomic_latency : timing.atomic_latency;
        case MachineKind::arithmetic:
        case MachineKind::variable:
            return issue.op.latency != 0 ? issue.op.latency : timing[issue.op.pipe].latency;
        default:
            return 1;
    }
}

bool writes_memory(const Issue& issue) {
    return issue.op.kind == MachineKind::store || issue.op.kind == MachineKind::atomic ||
           issue.op.kind == MachineKind::reduction || issue.op.kind == MachineKind::copy;
}

/// No operation moves across these.
bool is_wall(const Issue& issue) {
    switch (issue.op.kind) {
        case MachineKind::block_barrier:
        case MachineKind::barrier_arrive:
        case MachineKind::fence:
        case MachineKind::copy_commit:
        case MachineKind::copy_wait:
        case MachineKind::sleep:
            return true;
        default:
            return issue.fixed;
    }
}

bool ends_sequence(const Issue& issue) {
    return issue.op.kind == MachineKind::branch || issue.op.kind == MachineKind::exit;
}

struct Node {
    std::vector<std::size_t> successors;
    std::vector<int> delays;  // cycles until each successor may issue
    int waiting_for = 0;
    int height = 0;    // cycles from its issue to the end of the block
    int ready_at = 0;  // cycle
    bool done = false;
};

class BlockSchedule {
  public:
    BlockSchedule(const Code& code, std::vector<Issue> issues, const SmTiming& timing, ScheduleLimits limits)
        : code_(code), issues_(std::move(issues)), timing_(timing), limits_(limits), nodes_(issues_.size()) {}

    std::vector<Issue> run() {
        connect_values();
        connect_memory();
        connect_walls();
        measure_heights();
        count_readers();
        std::vector<Issue> ordered;
        ordered.reserve(issues_.size());
        for (int cycle = 0; ordered.size() < issues_.size(); ++cycle) {
            std::size_t next = choose(cycle);
            if (next == none) {
                cycle = next_ready_cycle();
                next = choose(cycle);
            }
            issue(next, cycle);
            ordered.push_back(issues_[next]);
        }
        return ordered;
    }

  private:
    static constexpr std::size_t none = ~std::size_t{0};

    void connect(std::size_t from, std::size_t to, int delay) {
        nodes_[from].successors.push_back(to);
        nodes_[from].delays.push_back(delay);
        ++nodes_[to].waiting_for;
    }

    void connect_values() {
        std::unordered_map<Value, std::size_t> filled_by;
        std::unordered_map<Value, std::vector<std::size_t>> read_by;
        for (std::size_t i = 0; i < issues_.size(); ++i) {
            for (const Value value : issues_[i].sources) {
                if (const auto from = filled_by.find(value); from != filled_by.end())
                    connect(from->second, i, expected_latency(issues_[from->second], timing_));
                read_by[value].push_back(i);
            }
            for (const Value value : issues_[i].results) {
                for (const std::size_t reader : read_by[value])
                    if (reader != i) connect(reader, i, 1);
                if (const auto from = filled_by.find(value); from != filled_by.end() && from->second != i)
                    connect(from->second, i, 1);
                filled_by[value] = i;
                read_by[value].clear();
            }
        }
    }

    /// Loads may be reordered, but not with a write to the same kind of memory, unless nothing writes what
    /// they read.
    void connect_memory() {
        for (const Pipe pipe : {Pipe::mio, Pipe::lsu}) {
            std::size_t last_write = none;
            std::vector<std::size_t> loads;
            for (std::size_t i = 0; i < issues_.size(); ++i) {
                if (issues_[i].op.pipe != pipe || issues_[i].op.record == no_record) continue;
                if (issues_[i].reads_constant) continue;
                if (writes_memory(issues_[i])) {
                    for (const std::size_t load : loads) connect(load, i, 1);
                    loads.clear();
                    if (last_write != none) connect(last_write, i, 1);
                    last_write = i;
                } else {
                    if (last_write != none) connect(last_write, i, 1);
                    loads.push_back(i);
                }
            }
        }
    }

    void connect_walls() {
        std::size_t last_wall = none;
        for (std::size_t i = 0; i < issues_.size(); ++i) {
            const bool wall = is_wall(issues_[i]) || ends_sequence(issues_[i]);
            if (!wall) {
                if (last_wall != none) connect(last_wall, i, 1);
                continue;
            }
            for (std::size_t before = last_wall == none ? 0 : last_wall; before < i; ++before)
                connect(before, i, 1);
            last_wall = i;
        }
    }

    void measure_heights() {
        for (std::size_t i = issues_.size(); i-- > 0;) {
            nodes_[i].height = 1;
            for (std::size_t k = 0; k < nodes_[i].successors.size(); ++k)
                nodes_[i].height =
                    std::max(nodes_[i].height, nodes_[nodes_[i].successors[k]].height + nodes_[i].delays[k]);
        }
    }

    /// Values computed in the block, with their remaining readers in it.
    void count_readers() {
        std::set<Value> made;
        for (const Issue& issue : issues_) made.insert(issue.results.begin(), issue.results.end());
        for (const Issue& issue : issues_)
            for (const Value value : issue.sources)
                if (made.contains(value)) ++readers_left_[value];
    }

    /// Registers that issuing `index` allocates minus those it frees.
    int growth(std::size_t index) const {
        int registers = 0;
        for (const Value value : issues_[index].results)
            if (!live_.contains(value)) registers += registers_of(code_, value);
        for (const Value value : issues_[index].sources) {
            const auto left = readers_left_.find(value);
            if (left != readers_left_.end() && left->second == 1 && live_.contains(value))
                registers -= registers_of(code_, value);
        }
        return registers;
    }

    std::size_t choose(int cycle) const {
        std::size_t best = none, smallest = none;
        bool waits = false;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const Node& node = nodes_[i];
            if (node.done || node.waiting_for > 0) continue;
            const int grows = growth(i);
            if (smallest == none || grows < growth(smallest)) smallest = i;
            if (!fits(grows)) continue;
            if (node.ready_at > cycle) {
                waits = true;
                continue;
            }
            if (best == none || node.height > nodes_[best].height) best = i;
        }
        if (best != none || waits) return best;
        return smallest;  // over the limit in any case: the smallest excess
    }

    int next_ready_cycle() const {
        int earliest = std::numeric_limits<int>::max();
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const Node& node = nodes_[i];
            if (node.done || node.waiting_for > 0 || !fits(growth(i))) continue;
            earliest = std::min(earliest, node.ready_at);
        }
        return earliest;
    }

    bool fits(int grows) const { return grows <= 0 || live_registers_ + grows <= limits_.registers; }

    void issue(std::size_t index, int cycle) {
        Node& node = nodes_[index];
        node.done = true;
        live_registers_ += growth(index);
        for (const Value value : issues_[index].sources) {
            const auto left = readers_left_.find(value);
            if (left != readers_left_.end() && --left->second == 0) live_.erase(value);
        }
        for (const Value value : issues_[index].results) live_.insert(value);
        for (std::size_t k = 0; k < node.successors.size(); ++k) {
            Node& successor = nodes_[node.successors[k]];
            --successor.waiting_for;
            successor.ready_at = std::max(successor.ready_at, cycle + node.delays[k]);
        }
    }

    const Code& code_;
    std::vector<Issue> issues_;
    const SmTiming& timing_;
    ScheduleLimits limits_;
    std::vector<Node> nodes_;
    std::unordered_map<Value, int> readers_left_;
    std::set<Value> live_;
    int live_registers_ = 0;
};

}  // namespace

std::vector<Issue> schedule_block(const Code& code, std::vector<Issue> issues, const SmTiming& timing,
                                  ScheduleLimits limits) {
    return BlockSchedule(code, std::move(issues), timing, limits).run();
}

}  // namespace warplens::simt::lowering
