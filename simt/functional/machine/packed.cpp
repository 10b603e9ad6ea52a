#include "simt/functional/machine/packed.h"

#include <algorithm>

#include "simt/functional/execute/executor_table.h"
#include "simt/functional/machine/meaning.h"
#include "simt/functional/machine/operations.h"

namespace warplens::simt {

namespace {

using enum sass::InstructionId;

DecodedOp& add_on_words(Lowering& lowering, Execute execute) {
    MachineRows& rows = lowering.rows();
    const Row all[] = {lowering.result(),      rows.predicate_sink(), rows.predicate_sink(),
                       lowering.source(0),     lowering.source(1),    lowering.source(2),
                       lowering.predicate(87), rows.false_predicate()};
    DecodedOp& op = lowering.add(execute);
    std::copy(std::begin(all), std::end(all), op.rows);
    return op;
}

/// flags: 1 signed, 2 negative results become 0, 4 of three, 8 of a sum and a third.
constexpr auto packed_extremum = [](const LaneInputs& in) {
    const auto number = [&](u64 bits) {
        return in.flags & 1 ? s32{static_cast<s16>(bits)} : s32{static_cast<u16>(bits)};
    };
    const auto chosen = [&](s32 a, s32 b) { return in.p ? std::min(a, b) : std::max(a, b); };
    u64 result = 0;
    for (u32 shift = 0; shift < 32; shift += 16) {
        const u64 a = in.a >> shift, b = in.b >> shift, c = in.c >> shift;
        s32 r = in.flags & 8 ? chosen(number(a + b), number(c)) : chosen(number(a), number(b));
        if (in.flags & 4) r = chosen(r, number(c));
        if (in.flags & 2) r = std::max(r, 0);
        result |= u64{static_cast<u16>(r)} << shift;
    }
    return LaneResults{result, false, false};
};

/// flags 1: their sum is added to c.
constexpr auto byte_distances = [](const LaneInputs& in) {
    u64 bytes = 0, sum = 0;
    for (u32 shift = 0; shift < 32; shift += 8) {
        const u64 a = in.a >> shift & 0xff, b = in.b >> shift & 0xff, distance = a < b ? b - a : a - b;
        bytes |= distance << shift;
        sum += distance;
    }
    return LaneResults{in.flags & 1 ? (sum + in.c) & low_word : bytes, false, false};
};

bool lower_byte_distances(Lowering& lowering) {
    // Printed when the bit is clear.
    if (lowering.modifier("U8") != 0 || lowering.predicate_result(81) != lowering.rows().predicate_sink())
        return false;
    const u32 accumulates = lowering.modifier("ACC");
    add_on_words(lowering, each_lane_of<byte_distances>).flags = accumulates;
    return true;
}

/// flags: bits; 0x100: signed.
constexpr auto saturated = [](const LaneInputs& in) {
    const u32 bits = in.flags & 0xff;
    const bool is_signed = (in.flags & 0x100) != 0;
    const s64 most = (s64{1} << (is_signed ? bits - 1 : bits)) - 1, least = is_signed ? -most - 1 : 0;
    const s64 value = std::clamp<s64>(static_cast<s32>(in.a), least, most);
    return LaneResults{static_cast<u64>(value) & low_word, false, false};
};

bool lower_saturation(Lowering& lowering) {
    const std::string_view type = lowering.modifier_name("i2i_type");
    const u32 flags = (type.ends_with("16") ? 16u : 8u) | (type.starts_with("S") ? 0x100u : 0u);
    add_on_words(lowering, each_lane_of<saturated>).flags = flags;
    return true;
}

/// flags 1: a difference.
constexpr auto sum_of_halves = [](const LaneInputs& in) {
    const bool subtracts = (in.flags & 1) != 0;
    const u64 lower = subtracts ? in.a - in.b : in.a + in.b, a_upper = in.a >> 16, b_upper = in.b >> 16;
    return LaneResults{
        (lower & 0xffff) | ((subtracts ? a_upper - b_upper : a_upper + b_upper) << 16 & low_word), false,
        false};
};

constexpr Meaning packed_table[] = {{VABSDIFF4, lower_byte_distances}, {I2I, lower_saturation}};

}  // namespace

bool lower_packed_extremum(Lowering& lowering, std::string_view type, PackedExtremum of) {
    if (type != "U16x2" && type != "S16x2") return false;
    for (std::size_t i = 0; i < lowering.source_count(); ++i)
        if (lowering.is_negated(i)) return false;
    const u32 relu = lowering.modifier("RELU");
    add_on_words(lowering, each_lane_of<packed_extremum>).flags = u32{type == "S16x2"} | relu << 1 |
                                                                  u32{of == PackedExtremum::of_three} << 2 |
                                                                  u32{of == PackedExtremum::of_sum} << 3;
    return true;
}

/// A negated source has each half negated.
bool lower_packed_sum(Lowering& lowering) {
    const bool subtracts = lowering.is_negated(1);
    const Row a = lowering.source(0), b = lowering.plain(1);
    MachineRows& rows = lowering.rows();
    const Row sink = rows.predicate_sink(), none = rows.false_predicate();
    DecodedOp& op = lowering.add(each_lane_of<sum_of_halves>);
    const Row all[] = {lowering.result(), sink, sink, a, b, b, none, none};
    std::copy(std::begin(all), std::end(all), op.rows);
    op.flags = subtracts;
    return true;
}

Meanings packed_meanings() { return packed_table; }

}  // namespace warplens::simt
