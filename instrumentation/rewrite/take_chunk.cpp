// What a leader does when its record has no room: it takes another chunk, or counts what it drops. It seldom
// happens, so for the GPU it is a function of its own that stays out of the way; for the CPU engine, whose
// lanes meet again at the lowest program counter, it stands where it is used.
#include "instrumentation/rewrite/take_chunk.h"

#include <fmt/format.h>

#include "instrumentation/rewrite/recording_space.h"
#include "ptx/parser.h"

namespace warplens::instrumentation {

namespace {

constexpr std::string_view take = R"(
not.b32 %lost, %size;
setp.eq.u32 %was, {cursor}, %lost;
@%was bra drop;
atom.global.add.u32 %new, [%base], 1;
setp.ge.u32 %was, %new, %chunks;
@%was bra lose;
sub.u32 %new, %new, 1;
mul.lo.u32 %new, %new, %size;
mad.wide.u32 %first, %new, 16, %base;
bfind.u32 %previous, %size;
shr.u32 %previous, {cursor}, %previous;
add.u32 %previous, %previous, 1;
setp.eq.u32 %was, {cursor}, -1;
selp.b32 %previous, 0, %previous, %was;
{identify}
mov.u32 %marker, %laneid;
shl.b32 %marker, %marker, 16;
or.b32 %marker, %marker, %warp;
or.b32 %marker, %marker, 0x80000000;
st.global.v4.b32 [%first+{begin}], {{%marker, %block, %previous, {clock}}};
bra taken;
lose:
red.global.add.u32 [%base+{dropped_streams}], 1;
drop:
mov.u32 %new, %lost;
red.global.add.u32 [%base+{dropped_records}], 1;
cvt.u64.u32 %count, {units};
red.global.add.u64 [%base+{dropped_units}], %count;
taken:
)";

constexpr std::string_view declarations =
    ".reg .b32 %lost, %new, %previous, %marker; .reg .pred %was; .reg .b64 %first, %count;\n";

constexpr std::string_view header =
    ".func (.param .b32 warplens_taken) warplens_take_chunk(.param .b64 warplens_base, .param .b32 "
    "warplens_size, "
    ".param .b32 warplens_chunks, .param .b32 warplens_cursor, .param .b32 warplens_units, "
    ".param .b32 warplens_clock)";

std::string take_text(const Draft& draft, std::string_view cursor, std::string_view units,
                      std::string_view clock, const std::string& identify) {
    return fmt::format(take, fmt::arg("cursor", cursor), fmt::arg("units", units), fmt::arg("clock", clock),
                       fmt::arg("identify", identify), fmt::arg("begin", draft.chunks_begin()),
                       fmt::arg("dropped_records", offsetof(SpaceHead, dropped_records)),
                       fmt::arg("dropped_units", offsetof(SpaceHead, dropped_units)),
                       fmt::arg("dropped_streams", offsetof(SpaceHead, dropped_streams)));
}

}  // namespace

std::string take_chunk(const Draft& draft, std::uint32_t id, std::uint32_t units, std::string_view clock,
                       bool identified) {
    const std::string identify =
        identified ? std::string() : identify_warp(draft.options) + identify_block(draft.options);
    std::string text = "full:\n";
    if (draft.options.cold_in_place || !codegen_choices.call_for_room) {
        text += "@!%full bra onwards;\n.reg .b32 %amount;\n";
        text += declarations;
        text += fmt::format("mov.u32 %amount, {};\n", units);
        text += take_text(draft, "%warplens_cursor", "%amount", clock, identify);
        text += "mov.u32 %warplens_cursor, %new;\n";
    } else {
        text += fmt::format(
            "@!%full bra onwards;\n.reg .b32 %lost;\n"
            ".param .b64 warplens_a{0};\n.param .b32 warplens_b{0};\n.param .b32 warplens_c{0};\n"
            ".param .b32 warplens_d{0};\n.param .b32 warplens_e{0};\n.param .b32 warplens_f{0};\n"
            ".param .b32 warplens_g{0};\n"
            "st.param.b64 [warplens_a{0}], %base;\nst.param.b32 [warplens_b{0}], %size;\n"
            "st.param.b32 [warplens_c{0}], %chunks;\nst.param.b32 [warplens_d{0}], %warplens_cursor;\n"
            "st.param.b32 [warplens_e{0}], {1};\nst.param.b32 [warplens_f{0}], {2};\n"
            "call.uni (warplens_g{0}), {3}, (warplens_a{0}, warplens_b{0}, warplens_c{0}, warplens_d{0}, "
            "warplens_e{0}, warplens_f{0});\n"
            "ld.param.b32 %warplens_cursor, [warplens_g{0}];\nnot.b32 %lost, %size;\n",
            id, units, clock, take_chunk_name);
    }
    text += fmt::format(
        "setp.ne.u32 %leads, %warplens_cursor, %lost;\nadd.u32 %next, %warplens_cursor, {};\n", units);
    return text;
}

std::string take_chunk_declaration() { return fmt::format("{};\n", header); }

Result<ptx::Function> take_chunk_function(const Draft& draft) {
    std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n";
    text += header;
    text += "\n{\n.reg .b64 %base; .reg .b32 %size, %chunks, %cursor, %units, %clock_read;\n";
    text += declarations;
    text +=
        "ld.param.b64 %base, [warplens_base];\nld.param.b32 %size, [warplens_size];\n"
        "ld.param.b32 %chunks, [warplens_chunks];\nld.param.b32 %cursor, [warplens_cursor];\n"
        "ld.param.b32 %units, [warplens_units];\nld.param.b32 %clock_read, [warplens_clock];\n";
    text += take_text(draft, "%cursor", "%units", "%clock_read",
                      identify_warp(draft.options) + identify_block(draft.options));
    text += "st.param.b32 [warplens_taken], %new;\nret;\n}\n";
    WARPLENS_TRY(auto parsed, ptx::parse(text, take_chunk_name));
    return std::move(parsed.functions.front());
}

}  // namespace warplens::instrumentation
