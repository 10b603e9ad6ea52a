// CombineFlow: follows values through the registers, shuffles and shared memory of one block, instruction by
// instruction, and notes where two of them become one: in an addition, a minimum, a maximum, a product or a
// bitwise operation. Nothing is known of the kernel but its instructions; combine_tree.h makes pictures of
// what is found.
//
// A thread's own computation is not followed. A value enters where other threads can see it first, in a store
// to shared memory or a shuffle: a leaf.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/program.h"
#include "trace/value_event.h"

namespace warplens::analysis {

enum class CombineOp : std::uint8_t { none, add, multiply, minimum, maximum, bit_and, bit_or, bit_xor };
/// "+", "max": between two operands.
std::string_view combine_sign(CombineOp op);
/// "additions", "maxima".
std::string_view combine_plural(CombineOp op);

/// How a value reached the register from which it was combined.
enum class ValueWay : std::uint8_t { own, shared, shuffle };

struct CombineOperand {
    std::uint32_t node = no_index;  // index into CombineFlow::nodes()
    ValueWay way = ValueWay::own;
    std::uint32_t thread = no_index;  // of the block: who wrote the word or gave the value
    std::uint32_t word = no_index;    // byte of shared memory it was read from; no_index: none
};

/// A value: combined from operands if `op` says how, else one that enters, perhaps computed from others.
struct CombineNode {
    CombineOp op = CombineOp::none;
    std::vector<CombineOperand> operands;
    std::uint32_t thread = 0;  // of the block
    std::uint32_t warp = 0;
    std::uint64_t step = 0;
    SiteId site = 0;
    std::uint32_t barriers = 0;     // that the block had passed
    std::uint32_t depth = 0;        // how many are combined one after another since the last barrier
    std::uint32_t home = no_index;  // the first word of shared memory that its thread stored it to
    std::uint64_t bits = 0;
    std::string_view type;  // "f32", as in PTX
    bool stored = false;    // to global memory
    bool used = false;      // reaches global memory, perhaps as part of others
};

/// A value was stored to a word of shared memory.
struct CombinePlacement {
    std::uint32_t node = 0, nodes_before = 0;  // how many nodes existed then
    std::uint32_t word = 0, from_word = no_index;
    std::uint32_t thread = 0;
    std::uint32_t barriers = 0;
    std::uint64_t step = 0;
    SiteId site = 0;
};

/// What an instruction does with values; app/pipeline/values/combine_acts.h reads it from the PTX.
struct ValueAct {
    enum class Kind : std::uint8_t {
        other,
        ignored,
        copy,
        combine,
        select,
        load,
        store,
        atomic,
        shuffle,
        reduce
    };
    Kind kind = Kind::other;
    CombineOp op = CombineOp::none;
    std::string_view type;  // of its result, or of what it stores or gives: "f32"; of static storage
    std::uint32_t element_bytes = 0;
    struct Source {
        std::uint32_t reg = no_index;  // no_index: the number below
        std::uint64_t bits = 0;
    };
    std::vector<Source> sources;  // of copies, selects and stores
};

class CombineFlow {
  public:
    explicit CombineFlow(std::vector<ValueAct> acts) : acts_(std::move(acts)) {}

    /// In the order of the engine.
    void take(const trace::ValueEvent& event);
    /// Marks the nodes that reach global memory.
    void finish();

    const std::vector<CombineNode>& nodes() const { return nodes_; }
    const std::vector<CombinePlacement>& placements() const { return placements_; }

  private:
    struct Held {
        std::uint32_t node = no_index;
        ValueWay way = ValueWay::own;
        bool changed = false;  // computed from the node, not the node itself
        std::uint32_t thread = no_index, word = no_index;
        std::uint32_t own = 0;  // a value that is not a node yet and was copied: into own_, from 1 on
    };
    using Row = std::array<Held, warp_size>;
    struct Word {
        std::uint32_t node = no_index, thread = no_index;
    };

    Row& row(const trace::ValueEvent& event, std::uint32_t reg);
    Held& held(const trace::ValueEvent& event, std::uint32_t reg, int lane);
    Held copy_of(Held& value);
    CombineNode& add_node(const trace::ValueEvent& event, int lane, const ValueAct& act, std::uint64_t bits);
    std::uint32_t publish(const trace::ValueEvent& event, Held& value, int lane, std::uint64_t bits);
    CombineOperand operand(const trace::ValueEvent& event, Held& value, int lane, std::uint64_t bits);
    void combine(const trace::ValueEvent& event, const ValueAct& act);
    bool combine_lane(const trace::ValueEvent& event, const ValueAct& act, int lane, std::size_t a,
                      std::size_t b);
    void derive(const trace::ValueEvent& event);
    void derive_lane(const trace::ValueEvent& event, int lane);
    void copy(const trace::ValueEvent& event);
    void select(const trace::ValueEvent& event, const ValueAct& act);
    void load(const trace::ValueEvent& event, const ValueAct& act);
    void store(const trace::ValueEvent& event, const ValueAct& act);
    void atomic(const trace::ValueEvent& event);
    void shuffle(const trace::ValueEvent& event);
    void reduce(const trace::ValueEvent& event, const ValueAct& act);

    std::vector<ValueAct> acts_;
    std::vector<CombineNode> nodes_;
    std::vector<CombinePlacement> placements_;
    std::vector<std::uint32_t> own_{no_index};          // the node that copies of one value have become
    std::unordered_map<std::uint64_t, Row> registers_;  // by warp, function and register
    std::unordered_map<std::uint32_t, Word> words_;     // by byte offset in shared memory
};

}  // namespace warplens::analysis
