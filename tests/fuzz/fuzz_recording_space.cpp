// Feeds any bytes to decode() as a recording space of a small kernel, in each mode and with and without
// slabs: it must neither crash nor take more memory than the input justifies, and its events must be a valid
// trace.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "instrumentation/decode/decode.h"
#include "ptx/parser.h"
#include "ptx/program.h"
#include "trace/check.h"
#include "trace/recorder.h"

namespace {

using namespace warplens;
using namespace warplens::instrumentation;

/// Blocks: 0 branches over 1 to 2, which loops to itself after a barrier's end 3; 4 calls; 5 and 7 leave.
const char* const text =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".func f() { .reg .pred %p; @%p ret; ret; }\n"
    ".visible .entry k(.param .u64 a)\n{\n"
    ".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<4>; .shared .align 4 .b8 tile[256];\n"
    "@%p1 bra $J;\nld.u32 %r1, [%d1+4];\n"
    "$J: st.shared.u32 [%r2], %r1; @%p2 atom.global.add.u32 %r3, [%d2], 1; @%p3 bra $J;\n"
    "bar.sync 0;\ncall f;\n@%p1 exit;\n@%p2 bra $E;\nmov.u32 %r1, 0;\n$E: ret;\n}\n";

struct Kernel {
    Program program;
    RecordingPlan plan;
};

Kernel make_kernel(RecordMode mode) {
    Kernel kernel;
    const auto module = ptx::parse(text, "fuzz.ptx");
    auto numbered = ptx::number_sites(*module, "k", text);
    kernel.program = numbered->program;
    kernel.plan.mode = mode;
    kernel.plan.min_chunk_units = 2;
    kernel.plan.symbols = {"tile"};
    for (const BasicBlockId target : numbered->branch_targets) {
        kernel.plan.blocks.emplace_back();
        kernel.plan.blocks.back().target = target;
    }
    auto& blocks = kernel.plan.blocks;
    const auto set_source = [&](BasicBlockId id, BlockPlan::Source how, BasicBlockId follows) {
        blocks[id].source = how;
        blocks[id].follows = follows;
    };
    set_source(0, BlockPlan::Source::whole, no_index);
    blocks[0].guards = {{0, 12}};
    set_source(1, BlockPlan::Source::balloted, 0);
    // The last two: after the branch over one instruction, and where its lanes meet.
    for (BasicBlockId id = 2; id < blocks.size(); ++id) {
        const Site& last = kernel.program.sites[kernel.program.basic_blocks[id].first_site];
        if (last.opcode.starts_with("mov")) {
            set_source(id, BlockPlan::Source::balloted, id - 1);
            blocks[id - 1].guards = {{kernel.program.basic_blocks[id - 1].first_site, 12}};
            set_source(id + 1, BlockPlan::Source::checked, id - 1);
            break;
        }
    }
    if (mode == RecordMode::proof) {
        kernel.plan.hashes_addresses = true;
        kernel.plan.min_chunk_units = 16;
    }
    if (mode != RecordMode::full) return kernel;
    kernel.plan.min_chunk_units = 32;
    kernel.plan.narrow = true;
    kernel.plan.values = 3;
    blocks[2].units = 26;
    blocks[2].values = {{0, 16, 8, 4}, {1, 20, 8, 4}, {2, 272, 2, 2}};
    for (SiteId site = 0; site < kernel.program.sites.size(); ++site) {
        const Site& at = kernel.program.sites[site];
        if (at.kind != SiteKind::memory) continue;
        const std::uint32_t value = at.space == Space::shared ? 2 : at.space == Space::global ? 1 : 0;
        kernel.plan.addresses.push_back({site, value, no_index, 4, value != 2, 0, false});
        if (at.guarded) blocks[2].guards.push_back({site, 336});
    }
    return kernel;
}

/// Full mode with columns behind the parts that lanes have.
Kernel with_columns() {
    Kernel kernel = make_kernel(RecordMode::full);
    RecordingPlan& plan = kernel.plan;
    BlockPlan& block = plan.blocks[2];
    block.units = 1;
    block.values.clear();
    block.guards.clear();
    block.lane_values = {{0, 0, 0, 4}, {1, 4, 0, 4}, {2, 8, 0, 2}};
    plan.lane_units = 4;
    plan.value_words = 12;
    plan.values_offset = 32 * plan.lane_units * 16;
    plan.min_chunk_units = 256;
    plan.fixed_chunks = true;
    return kernel;
}

void decode_as(const Kernel& kernel, const std::vector<std::byte>& bytes, bool slabs, unsigned chunk_shift) {
    const LaunchGeometry geometry{{3, 2, 1}, {40, 1, 1}, 64};
    ReadBack read;
    read.bytes = bytes;
    read.parameter.chunk_units = kernel.plan.min_chunk_units << chunk_shift;
    read.parameter.chunks = 1u << 20;
    read.parameter.slabs = slabs ? 12 : 0;
    read.parameter.address_high = 7;
    read.symbol_bases = engine_symbol_bases(kernel.plan, kernel.program);
    trace::Launch launch;
    launch.geometry = geometry;
    trace::Recorder recorder(launch, kernel.program, {{}, 64u << 20});
    const auto decoded = decode(kernel.plan, kernel.program, geometry, read, &recorder);
    if (!decoded) return;
    const trace::Trace trace = recorder.take();
    if (!trace::check(trace)) std::abort();
    if (trace.warps.size() != decoded->warps.size() || trace.visits.size() != decoded->visits.size())
        std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Kernel kernels[] = {make_kernel(RecordMode::light), make_kernel(RecordMode::full),
                                     make_kernel(RecordMode::proof)};
    static const Kernel columns = with_columns();
    if (size < 1) return 0;
    const auto* first = reinterpret_cast<const std::byte*>(data + 1);
    const std::vector<std::byte> bytes(first, first + size - 1);
    if ((data[0] & 32) != 0) decode_as(columns, bytes, (data[0] & 4) != 0, 0);
    else decode_as(kernels[data[0] % 3], bytes, (data[0] & 4) != 0, data[0] >> 3 & 3);
    return 0;
}
