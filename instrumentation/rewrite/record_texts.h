// The PTX that writes a record, form by form, for record_blocks.cpp.
#pragma once

#include <string_view>

namespace warplens::instrumentation {

// A block that holds values needs its place at its beginning, and all its lanes need to know it.
inline constexpr std::string_view reserve_visit = R"(
.reg .b32 %below, %next, %crossed, %unit; .reg .pred %leads, %full;
and.b32 %below, {mask}, %warplens_lt;
setp.eq.u32 %leads, %below, 0;
add.u32 %next, %warplens_cursor, {units};
xor.b32 %crossed, %next, %warplens_cursor;
and.b32 %crossed, %crossed, %size;
setp.ne.and.u32 %full, %crossed, 0, %leads;
{branch}
write:
add.u32 %unit, %warplens_cursor, 1;
selp.b32 %unit, %unit, 0, %leads;
@%leads mov.u32 %warplens_cursor, %next;
{tell_unit}mad.wide.u32 {record}, %unit, 16, %base;
setp.ne.u32 {exists}, %unit, 0;
mov.pred {leader}, %leads;
cold:
)";

// Likewise, in the part of the slab that the leader has: what has no room there is lost.
inline constexpr std::string_view reserve_visit_in_part = R"(
.reg .b32 %below, %next, %crossed, %unit; .reg .pred %leads, %fits, %lost;
and.b32 %below, {mask}, %warplens_lt;
setp.eq.u32 %leads, %below, 0;
add.u32 %next, %warplens_cursor, {units};
xor.b32 %crossed, %next, %warplens_cursor;
and.b32 %crossed, %crossed, {part};
setp.eq.and.u32 %fits, %crossed, 0, %leads;
setp.ne.and.u32 %lost, %crossed, 0, %leads;
add.u32 %unit, %warplens_cursor, 1;
selp.b32 %unit, %unit, 0, %fits;
@%fits mov.u32 %warplens_cursor, %next;
@%lost mov.u32 %warplens_cursor, -1;
{tell_unit}mad.wide.u32 {record}, %unit, 16, %base;
setp.ne.u32 {exists}, %unit, 0;
mov.pred {leader}, %fits;
)";

// The leader's unit for all lanes: all others have 0. A shuffle over a mask in a register makes the assembler
// compare the masks of all lanes by MATCH.ANY, which takes a scheduler 280 cycles (measured on sm_90).
inline constexpr std::string_view tell_unit = "redux.sync.or.b32 %unit, %unit, {mask};\n";
inline constexpr std::string_view tell_unit_by_shuffle = R"(
.reg .b32 %from;
brev.b32 %from, {mask};
clz.b32 %from, %from;
shfl.sync.idx.b32 %unit, %unit, %from, 31, {mask};
)";

// The lowest lane on leads. A record fits when its end lies in the chunk of the stream's last unit: adding
// fewer units than a chunk has changes the bit of that weight exactly when it does not, and a stream without
// a chunk (all ones) always overflows.
inline constexpr std::string_view write_visit = R"(
.reg .b32 %below, %next, %crossed; .reg .b64 %at; .reg .pred %leads, %full;
and.b32 %below, {mask}, {lt};
setp.eq.u32 %leads, %below, 0;
add.u32 %next, %warplens_cursor, {units};
xor.b32 %crossed, %next, %warplens_cursor;
and.b32 %crossed, %crossed, %size;
setp.ne.and.u32 %full, %crossed, 0, %leads;
{branch}
write:
mad.wide.u32 %at, %warplens_cursor, 16, %base;
@%leads st.global.v4.b32 [%at+{first}], {{{block}, {mask}, {clock}, {extra}}};
)";

inline constexpr std::string_view written = R"(
@%leads mov.u32 %warplens_cursor, %next;
)";

// Without a branch: of a whole warp, whose first lane leads, or where every lane has its part of the slab.
// What has no room there is lost, and the cursor says so from then on.
inline constexpr std::string_view write_whole = R"(
.reg .b32 %next, %crossed; .reg .b64 %at; .reg .pred %first, %fits, %lost;
{leads}
add.u32 %next, %warplens_cursor, {units};
xor.b32 %crossed, %next, %warplens_cursor;
and.b32 %crossed, %crossed, {room};
setp.eq.and.u32 %fits, %crossed, 0, %first;
setp.ne.and.u32 %lost, %crossed, 0, %first;
mad.wide.u32 %at, %warplens_cursor, 16, %base;
@%fits st.global.v4.b32 [%at+{first}], {{{block}, {mask}, {clock}, {extra}}};
)";

// Likewise, where every lane knows how far the slab is filled: what has no room goes over the last record,
// and the end of the warp sees that the slab is full.
inline constexpr std::string_view write_in_slab = R"(
.reg .b32 %next; .reg .b64 %at; .reg .pred %fits;
mov.pred %fits, %warplens_leads;
mad.wide.u32 %at, %warplens_cursor, 16, %warplens_slab;
@%fits st.global.v4.b32 [%at+{first}], {{{block}, {mask}, {clock}, {extra}}};
add.u32 %next, %warplens_cursor, {units};
)";

inline constexpr std::string_view written_in_bounded_slab = "mov.u32 %warplens_cursor, %next;\n";
inline constexpr std::string_view written_in_slab = "min.u32 %warplens_cursor, %next, %warplens_limit;\n";

inline constexpr std::string_view first_lane_leads = "setp.eq.u32 %first, %warplens_lt, 0;";
inline constexpr std::string_view lowest_lane_leads =
    ".reg .b32 %below;\nand.b32 %below, {mask}, %warplens_lt;\nsetp.eq.u32 %first, %below, 0;";

inline constexpr std::string_view written_in_part = R"(
@%fits mov.u32 %warplens_cursor, %next;
@%lost mov.u32 %warplens_cursor, -1;
)";

inline constexpr std::string_view written_whole = R"(
@%fits mov.u32 %warplens_cursor, %next;
@%lost not.b32 %warplens_cursor, %size;
)";

}  // namespace warplens::instrumentation
