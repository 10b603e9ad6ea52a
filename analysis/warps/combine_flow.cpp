#include "analysis/warps/combine_flow.h"

#include <algorithm>

namespace warplens::analysis {
namespace {

std::uint32_t thread_of(const trace::ValueEvent& event, int lane) {
    return event.warp * warp_size + static_cast<std::uint32_t>(lane);
}

std::size_t at(int lane) { return static_cast<std::size_t>(lane); }

/// Where a register is among those read; its size when it is not.
std::size_t index_of(const std::vector<trace::RegisterBits>& read, std::uint32_t reg) {
    return static_cast<std::size_t>(std::ranges::find(read, reg, &trace::RegisterBits::index) - read.begin());
}

}  // namespace

std::string_view combine_sign(CombineOp op) {
    static constexpr std::array<std::string_view, 8> signs{"", "+", "×", "min", "max", "and", "or", "xor"};
    return signs[static_cast<std::size_t>(op)];
}

std::string_view combine_plural(CombineOp op) {
    static constexpr std::array<std::string_view, 8> words{"values",      "additions",   "multiplications",
                                                           "minima",      "maxima",      "bitwise ands",
                                                           "bitwise ors", "bitwise xors"};
    return words[static_cast<std::size_t>(op)];
}

CombineFlow::Row& CombineFlow::row(const trace::ValueEvent& event, std::uint32_t reg) {
    const std::uint64_t key =
        std::uint64_t{event.warp} << 48 | std::uint64_t{event.function & 0xffffu} << 32 | reg;
    return registers_[key];
}

/// Copies of a value that enters are one value: what one of them has become, the others are too.
CombineFlow::Held& CombineFlow::held(const trace::ValueEvent& event, std::uint32_t reg, int lane) {
    Held& value = row(event, reg)[at(lane)];
    if (value.own != 0 && own_[value.own] != no_index && (value.node == no_index || value.changed)) {
        const std::uint32_t node = own_[value.own];
        value = {node, ValueWay::own, false, nodes_[node].thread, no_index, 0};
    }
    return value;
}

CombineFlow::Held CombineFlow::copy_of(Held& value) {
    if (value.own == 0 && (value.node == no_index || value.changed)) {
        value.own = static_cast<std::uint32_t>(own_.size());
        own_.push_back(no_index);
    }
    return value;
}

CombineNode& CombineFlow::add_node(const trace::ValueEvent& event, int lane, const ValueAct& act,
                                   std::uint64_t bits) {
    CombineNode& node = nodes_.emplace_back();
    node.thread = thread_of(event, lane);
    node.warp = event.warp;
    node.step = event.step;
    node.site = event.site;
    node.barriers = event.barriers;
    node.bits = bits;
    node.type = act.type;
    return node;
}

/// The node of a value that other threads can see from now on.
std::uint32_t CombineFlow::publish(const trace::ValueEvent& event, Held& value, int lane,
                                   std::uint64_t bits) {
    if (value.node != no_index && !value.changed) return value.node;
    const std::uint32_t origin = value.node;
    CombineNode& node = add_node(event, lane, acts_[event.site], bits);
    if (origin != no_index) {
        node.operands.push_back({origin, ValueWay::own, node.thread, no_index});
        const CombineNode& from = nodes_[origin];
        node.depth = from.barriers == node.barriers ? from.depth : 0;
    }
    const auto index = static_cast<std::uint32_t>(nodes_.size() - 1);
    if (value.own != 0) own_[value.own] = index;
    value = {index, ValueWay::own, false, node.thread, no_index};
    return index;
}

CombineOperand CombineFlow::operand(const trace::ValueEvent& event, Held& value, int lane,
                                    std::uint64_t bits) {
    const Held before = value;
    const std::uint32_t node = publish(event, value, lane, bits);
    if (before.node != node) return {node, ValueWay::own, thread_of(event, lane), no_index};
    return {node, value.way, value.thread, value.word};
}

/// False: the two are not values that are followed.
bool CombineFlow::combine_lane(const trace::ValueEvent& event, const ValueAct& act, int lane, std::size_t a,
                               std::size_t b) {
    const trace::RegisterBits &left = event.read[a], &right = event.read[b];
    if (left.index == right.index) return false;
    Held &one = held(event, left.index, lane), &other = held(event, right.index, lane);
    const auto arrived = [](const Held& value) {
        return value.node != no_index && !value.changed && value.way != ValueWay::own;
    };
    const auto known = [](const Held& value) { return value.node != no_index && !value.changed; };
    if (!arrived(one) && !arrived(other) && !(known(one) && known(other))) return false;
    std::vector<CombineOperand> operands{operand(event, one, lane, left.bits[at(lane)]),
                                         operand(event, other, lane, right.bits[at(lane)])};
    CombineNode& node = add_node(event, lane, act, event.written.front().bits[at(lane)]);
    node.op = act.op;
    for (const CombineOperand& from : operands)
        if (nodes_[from.node].barriers == node.barriers)
            node.depth = std::max(node.depth, nodes_[from.node].depth);
    ++node.depth;
    node.operands = std::move(operands);
    held(event, event.written.front().index, lane) = {static_cast<std::uint32_t>(nodes_.size() - 1),
                                                      ValueWay::own, false, node.thread, no_index};
    return true;
}

void CombineFlow::combine(const trace::ValueEvent& event, const ValueAct& act) {
    for_each_lane(event.lanes, [&](int lane) {
        if (event.read.size() != 2 || event.written.empty() || !combine_lane(event, act, lane, 0, 1))
            derive_lane(event, lane);
    });
}

void CombineFlow::derive(const trace::ValueEvent& event) {
    for_each_lane(event.lanes, [&](int lane) { derive_lane(event, lane); });
}

/// A result that is computed from followed values in any other way.
void CombineFlow::derive_lane(const trace::ValueEvent& event, int lane) {
    std::vector<CombineOperand> from;
    for (const trace::RegisterBits& read : event.read) {
        const Held& value = held(event, read.index, lane);
        if (value.node != no_index &&
            std::ranges::find(from, value.node, &CombineOperand::node) == from.end())
            from.push_back({value.node, value.way, value.thread, value.word});
    }
    for (const trace::RegisterBits& written : event.written) {
        Held result;
        if (from.size() == 1) {
            result = {from[0].node, ValueWay::own, true, thread_of(event, lane), no_index};
        } else if (from.size() > 1) {
            CombineNode& node = add_node(event, lane, acts_[event.site], written.bits[at(lane)]);
            for (const CombineOperand& operand : from)
                if (nodes_[operand.node].barriers == node.barriers)
                    node.depth = std::max(node.depth, nodes_[operand.node].depth);
            node.operands = from;
            result = {static_cast<std::uint32_t>(nodes_.size() - 1), ValueWay::own, true, node.thread,
                      no_index};
        }
        held(event, written.index, lane) = result;
    }
}

void CombineFlow::copy(const trace::ValueEvent& event) {
    for (std::size_t i = 0; i < event.written.size(); ++i) {
        if (event.read.empty()) {
            for_each_lane(event.lanes, [&](int lane) { held(event, event.written[i].index, lane) = {}; });
            continue;
        }
        const std::uint32_t from = event.read[std::min(i, event.read.size() - 1)].index;
        for_each_lane(event.lanes, [&](int lane) {
            const Held value = copy_of(held(event, from, lane));
            held(event, event.written[i].index, lane) = value;
        });
    }
}

void CombineFlow::select(const trace::ValueEvent& event, const ValueAct& act) {
    if (act.sources.size() != 3 || event.written.empty()) return derive(event);
    const std::size_t a = index_of(event.read, act.sources[0].reg),
                      b = index_of(event.read, act.sources[1].reg),
                      p = index_of(event.read, act.sources[2].reg);
    for_each_lane(event.lanes, [&](int lane) {
        const bool both = a < event.read.size() && b < event.read.size();
        if (act.op != CombineOp::none && both && combine_lane(event, act, lane, a, b)) return;
        const bool first = p < event.read.size() && event.read[p].bits[at(lane)] != 0;
        const std::uint32_t chosen = act.sources[first ? 0 : 1].reg;
        const Held value = chosen == no_index ? Held{} : copy_of(held(event, chosen, lane));
        held(event, event.written.front().index, lane) = value;
    });
}

void CombineFlow::load(const trace::ValueEvent& event, const ValueAct& act) {
    for (std::size_t i = 0; i < event.written.size(); ++i)
        for_each_lane(event.lanes, [&](int lane) {
            Held& result = held(event, event.written[i].index, lane);
            result = {};
            if (event.space != Space::shared || !event.accessed.has(lane)) return;
            const auto byte = static_cast<std::uint32_t>(event.addresses[at(lane)] + i * act.element_bytes);
            Word& word = words_[byte];
            // Filled by a copy that no register saw.
            if (word.node == no_index) {
                CombineNode& node = add_node(event, lane, act, event.written[i].bits[at(lane)]);
                node.home = byte;
                word = {static_cast<std::uint32_t>(nodes_.size() - 1), node.thread};
                placements_.push_back({word.node, static_cast<std::uint32_t>(nodes_.size()), byte, no_index,
                                       node.thread, event.barriers, event.step, event.site});
            }
            result = {word.node, ValueWay::shared, false, word.thread, byte};
        });
}

void CombineFlow::store(const trace::ValueEvent& event, const ValueAct& act) {
    if (event.space != Space::shared) return atomic(event);
    for_each_lane(event.accessed, [&](int lane) {
        for (std::size_t i = 0; i < act.sources.size(); ++i) {
            const ValueAct::Source& source = act.sources[i];
            const auto byte = static_cast<std::uint32_t>(event.addresses[at(lane)] + i * act.element_bytes);
            const std::size_t read = index_of(event.read, source.reg);
            Held number;
            Held& value = read < event.read.size() ? held(event, source.reg, lane) : number;
            const std::uint32_t node = publish(
                event, value, lane, read < event.read.size() ? event.read[read].bits[at(lane)] : source.bits);
            const std::uint32_t thread = thread_of(event, lane);
            if (nodes_[node].home == no_index && nodes_[node].thread == thread) nodes_[node].home = byte;
            words_[byte] = {node, thread};
            placements_.push_back({node, static_cast<std::uint32_t>(nodes_.size()), byte, value.word, thread,
                                   event.barriers, event.step, event.site});
        }
    });
}

/// What an atomic update leaves in shared memory is not followed; what reaches global memory is used.
void CombineFlow::atomic(const trace::ValueEvent& event) {
    for_each_lane(event.lanes, [&](int lane) {
        for (const trace::RegisterBits& read : event.read)
            if (const Held& value = held(event, read.index, lane); value.node != no_index)
                nodes_[value.node].stored = nodes_[value.node].used = true;
        if (event.space == Space::shared && event.accessed.has(lane))
            words_.erase(static_cast<std::uint32_t>(event.addresses[at(lane)]));
        for (const trace::RegisterBits& written : event.written) held(event, written.index, lane) = {};
    });
}

void CombineFlow::shuffle(const trace::ValueEvent& event) {
    if (event.read.empty() || event.written.empty()) return derive(event);
    const trace::RegisterBits& given = event.read.front();
    for_each_lane(event.exchanged, [&](int lane) {
        publish(event, held(event, given.index, lane), lane, given.bits[at(lane)]);
    });
    const Row from = row(event, given.index);
    for_each_lane(event.exchanged, [&](int lane) {
        const int source = event.sources[at(lane)];
        Held value = from[at(source)];
        if (source != lane)
            value = {value.node, ValueWay::shuffle, false, thread_of(event, source), no_index};
        held(event, event.written.front().index, lane) = value;
    });
}

void CombineFlow::reduce(const trace::ValueEvent& event, const ValueAct& act) {
    if (event.read.empty() || event.written.empty() || event.lanes.empty()) return derive(event);
    const trace::RegisterBits& given = event.read.front();
    std::vector<CombineOperand> operands;
    for_each_lane(event.lanes, [&](int lane) {
        publish(event, held(event, given.index, lane), lane, given.bits[at(lane)]);
        const Held& value = held(event, given.index, lane);
        operands.push_back({value.node, ValueWay::shuffle, thread_of(event, lane), value.word});
    });
    const int first = event.lanes.lowest();
    CombineNode& node = add_node(event, first, act, event.written.front().bits[at(first)]);
    node.op = act.op;
    for (const CombineOperand& from : operands)
        if (nodes_[from.node].barriers == node.barriers)
            node.depth = std::max(node.depth, nodes_[from.node].depth);
    ++node.depth;
    node.operands = std::move(operands);
    const auto index = static_cast<std::uint32_t>(nodes_.size() - 1);
    for_each_lane(event.lanes, [&](int lane) {
        held(event, event.written.front().index, lane) = {index, ValueWay::own, false, thread_of(event, lane),
                                                          no_index};
    });
}

void CombineFlow::take(const trace::ValueEvent& event) {
    if (event.lanes.empty() || event.site >= acts_.size()) return;
    const ValueAct& act = acts_[event.site];
    switch (act.kind) {
        case ValueAct::Kind::other:
            return derive(event);
        case ValueAct::Kind::ignored:
            return;
        case ValueAct::Kind::copy:
            return copy(event);
        case ValueAct::Kind::combine:
            return combine(event, act);
        case ValueAct::Kind::select:
            return select(event, act);
        case ValueAct::Kind::load:
            return load(event, act);
        case ValueAct::Kind::store:
            return store(event, act);
        case ValueAct::Kind::atomic:
            return atomic(event);
        case ValueAct::Kind::shuffle:
            return shuffle(event);
        case ValueAct::Kind::reduce:
            return reduce(event, act);
    }
}

void CombineFlow::finish() {
    for (std::size_t i = nodes_.size(); i-- > 0;)
        if (nodes_[i].used)
            for (const CombineOperand& from : nodes_[i].operands) nodes_[from.node].used = true;
}

}  // namespace warplens::analysis
