// Speed of decoding recording spaces of about 20 MB: many records a warp, warps that left only their heads,
// and records with addresses. Bytes are those of the space.
#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

#include "instrumentation/decode/decode.h"
#include "ptx/parser.h"
#include "ptx/program.h"
#include "trace/recorder.h"

namespace {

using namespace warplens;
using namespace warplens::instrumentation;

/// A loop kernel whose every warp left the same records in a chunk of its own.
struct Example {
    Program program;
    RecordingPlan plan;
    LaunchGeometry geometry;
    ReadBack read;
    std::vector<std::byte> bytes;

    Example(std::uint32_t warps, std::uint32_t chunk_units, std::uint32_t rounds, bool addresses) {
        const std::string text =
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n"
            ".reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p;\n"
            "mov.u32 %r1, 0;\n$L: ld.global.u32 %r2, [%rd1]; st.global.u32 [%rd2+64], %r2;\n"
            "@%p bra $L;\nret;\n}\n";
        const std::string straight =
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n"
            ".reg .pred %p;\n@%p bra $L; ret; $L: ret;\n}\n";
        const auto module = ptx::parse(rounds == 0 ? straight : text, "bench.ptx");
        auto numbered = ptx::number_sites(*module, "k", text);
        program = numbered->program;
        plan.blocks.resize(program.basic_blocks.size());
        plan.blocks[0].source = BlockPlan::Source::whole;
        if (rounds == 0) {
            // Its first branch is balloted in the head; nobody jumps.
            plan.blocks[0].guards = {{0, offsetof(WarpHead, block)}};
            plan.blocks[0].target = 2;
            plan.blocks[1].source = plan.blocks[2].source = BlockPlan::Source::balloted;
            plan.blocks[1].follows = plan.blocks[2].follows = 0;
        } else {
            plan.blocks[1].target = 1;
            plan.blocks[2].source = BlockPlan::Source::checked;
            plan.blocks[2].follows = 0;
        }
        plan.min_chunk_units = 2;
        if (addresses) {
            plan.mode = RecordMode::full;
            plan.narrow = true;
            plan.values = 2;
            plan.blocks[1].units = 17;
            plan.blocks[1].values = {{0, 16, 8, 4}, {1, 20, 8, 4}};
            plan.addresses = {{1, 0, no_index, 0, true, 0, false}, {2, 1, no_index, 64, true, 0, false}};
        }
        geometry = {{warps / 8, 1, 1}, {256, 1, 1}, 0};
        read.parameter.chunk_units = chunk_units;
        read.parameter.slabs = warps;
        read.parameter.chunks = 1 + warps;
        read.parameter.address_high = 7;
        bytes.resize(chunk_offset(1 + warps, chunk_units, 0));
        SpaceHead head;
        head.next_chunk = 1 + warps;
        std::memcpy(bytes.data(), &head, sizeof(head));
        for (std::uint32_t warp = 0; warp < warps; ++warp) {
            std::byte* at = bytes.data() + chunk_offset(1 + warp, chunk_units, 0);
            const WarpHead own{1000 * warp,
                               0x80000000u | (warp / 8 % 132),
                               1000 * warp + 900,
                               ~0u,
                               0,
                               0,
                               warp % 8 == 0 ? 500 * (warp / 132) + 32 : 0};
            std::memcpy(at, &own, sizeof(own));
            for (std::uint32_t round = 0; round < rounds; ++round) {
                at += round == 0 ? sizeof(own) : plan.blocks[1].units * unit_bytes;
                const VisitUnit visit{2, ~0u, 1000 * warp + 5 + round, 0};
                std::memcpy(at, &visit, sizeof(visit));
                for (std::uint32_t lane = 0; addresses && lane < 32; ++lane) {
                    const std::uint32_t pair[2] = {4096 * round + 4 * lane, 8192 * round + 4 * lane};
                    std::memcpy(at + 16 + 8 * lane, pair, sizeof(pair));
                }
            }
        }
        read.bytes = bytes;
    }
};

void decode_space(benchmark::State& state, const Example& example, bool recorded) {
    std::uint64_t records = 0;
    for (auto _ : state) {
        trace::Launch launch;
        launch.geometry = example.geometry;
        trace::Recorder recorder(launch, example.program);
        auto decoded = decode(example.plan, example.program, example.geometry, example.read,
                              recorded ? &recorder : nullptr);
        if (!decoded || !decoded->damaged.empty()) state.SkipWithError("the space does not decode");
        if (decoded) records = decoded->records;
        benchmark::DoNotOptimize(recorder.take());
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(example.bytes.size()));
    state.counters["records"] = static_cast<double>(records);
}

void many_records(benchmark::State& state) {
    static const Example example(20000, 64, 62, false);
    decode_space(state, example, state.range(0) != 0);
}
BENCHMARK(many_records)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void heads_alone(benchmark::State& state) {
    static const Example example(524288, 2, 0, false);
    decode_space(state, example, state.range(0) != 0);
}
BENCHMARK(heads_alone)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void records_with_addresses(benchmark::State& state) {
    static const Example example(10000, 128, 7, true);
    decode_space(state, example, state.range(0) != 0);
}
BENCHMARK(records_with_addresses)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
