// Time to make PTX executable: parse, and number with decode (Kernel::load). Measured on texts like the
// largest that real files hold: an unrolled kernel of 33 000 instructions, and a module with many functions
// and the 1044 unused initialised arrays that cooperative_groups brings along. Also of many labels, with the
// estimate of their machine code: twice as many should take twice the time.
#include <benchmark/benchmark.h>

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "core/gpu_spec.h"
#include "ptx/parser.h"
#include "simt/functional/engine.h"
#include "simt/timing/machine_code.h"

namespace {

using namespace warplens;

constexpr int unrolled_instructions = 33'000;
constexpr int functions = 60;
constexpr int instructions_a_function = 120;
constexpr int unused_arrays = 1044;

constexpr const char* head = ".version 8.4\n.target sm_90\n.address_size 64\n.file 1 \"/src/kernel.cu\"\n";

/// One step of an unrolled loop: load, multiply-add, integer mixing, every register written once, as nvcc
/// writes it; every eighth step ends in a short forward branch.
void append_step(std::string& text, int step) {
    const int r = step * 3, f = step * 3;
    text += fmt::format(
        ".loc 1 {0} 9\n"
        "add.s64 %rd{1}, %rd{2}, {3};\n"
        "ld.global.nc.f32 %f{4}, [%rd{1}+{3}];\n"
        "ld.shared.f32 %f{5}, [%r1+{3}];\n"
        "fma.rn.f32 %f{6}, %f{4}, %f{5}, %f{7};\n"
        "mad.lo.s32 %r{8}, %r{9}, 1664525, 1013904223;\n"
        "shr.u32 %r{10}, %r{8}, {11};\n"
        "setp.gt.s32 %p{12}, %r{10}, {3};\n",
        10 + step % 400, step + 2, step + 1, 4 * (step % 64), f + 4, f + 5, f + 6, f + 3, r + 5, r + 3, r + 6,
        step % 31, step + 1);
    if (step % 8 == 7)
        text += fmt::format("@%p{0} bra $L__BB0_{0};\nst.shared.f32 [%r1], %f{1};\n$L__BB0_{0}:\n", step + 1,
                            f + 6);
}

std::string unrolled_kernel() {
    std::string body;
    int steps = 0;
    for (int count = 0; count < unrolled_instructions; ++steps) {
        append_step(body, steps);
        count += steps % 8 == 7 ? 9 : 7;
    }
    return fmt::format(
        "{}.visible .entry unrolled(.param .u64 data)\n{{\n.reg .pred %p<{}>;\n.reg .b32 %r<{}>;\n.reg .f32 "
        "%f<{}>;\n"
        ".reg .b64 %rd<{}>;\n.shared .align 4 .b8 tile[4096];\nld.param.u64 %rd1, [data];\nmov.u32 %r1, "
        "tile;\nmov.u32 %r3, %tid.x;\nmov.f32 %f3, 0f00000000;\n{}ret;\n}}\n",
        head, steps + 2, 3 * steps + 8, 3 * steps + 8, steps + 3, body);
}

std::string many_functions() {
    std::string text = head;
    for (int i = 0; i < unused_arrays; ++i)
        text += fmt::format(".global .align 1 .b8 _ZN4cuda3std{0}E[{1}] = {{1, 2, 3, {0} & 255}};\n", i,
                            4 + i % 5);
    for (int i = 0; i < functions; ++i) {
        text += fmt::format(
            ".func (.param .b32 result) step{0}(.param .b32 value)\n{{\n.reg .b32 %r<{1}>;\n"
            "ld.param.u32 %r1, [value];\n",
            i, instructions_a_function + 4);
        for (int k = 1; k < instructions_a_function; ++k)
            text += fmt::format("xor.b32 %r{}, %r{}, {};\n", k + 1, k, 17 * k);
        text += fmt::format("st.param.b32 [result], %r{};\nret;\n}}\n", instructions_a_function);
    }
    text += ".visible .entry many(.param .u64 data)\n{\n.reg .b32 %r<200>;\nmov.u32 %r1, %tid.x;\n";
    for (int i = 0; i < functions; ++i)
        text += fmt::format(
            "{{\n.param .b32 in;\nst.param.b32 [in], %r{0};\n.param .b32 out;\n"
            "call.uni (out), step{1}, (in);\nld.param.b32 %r{2}, [out];\n}}\n",
            i + 1, i, i + 2);
    return text + "ret;\n}\n";
}

ptx::Module parsed(const std::string& text) {
    auto module = ptx::parse(text, "generated");
    if (module) return std::move(*module);
    std::fprintf(stderr, "%s\n", module.error().message.c_str());
    std::exit(2);
}

std::string text_of(int which) { return which == 0 ? unrolled_kernel() : many_functions(); }

void parse_text(benchmark::State& state) {
    const std::string text = text_of(static_cast<int>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(ptx::parse(text, "generated"));
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

void load_kernel(benchmark::State& state) {
    const std::string text = text_of(static_cast<int>(state.range(0)));
    const ptx::Module module = parsed(text);
    const std::string entry = module.entries().front()->name;
    std::size_t sites = 0;
    for (auto _ : state) {
        auto kernel = simt::Kernel::load(module, entry, text);
        if (!kernel || !(*kernel)->unsupported().empty()) return state.SkipWithError("not executable");
        sites = (*kernel)->program().sites.size();
    }
    state.counters["instructions"] = static_cast<double>(sites);
}

void parse_and_load(benchmark::State& state) {
    const std::string text = text_of(static_cast<int>(state.range(0)));
    for (auto _ : state) {
        const ptx::Module module = parsed(text);
        benchmark::DoNotOptimize(simt::Kernel::load(module, module.entries().front()->name, text));
    }
}

/// Jumps back to themselves, each behind a label of its own.
std::string labelled_jumps(std::int64_t labels) {
    std::string text = fmt::format(
        "{}.visible .entry jumps(.param .u32 a)\n{{\n.reg .pred %p<2>;\n.reg .b32 %r<3>;\nld.param.u32 %r1, "
        "[a];\n"
        "setp.eq.u32 %p1, %r1, 77;\n",
        head);
    for (std::int64_t i = 0; i < labels; ++i) text += fmt::format("L{0}: @%p1 bra L{0};\n", i);
    return text + "ret;\n}\n";
}

void parse_and_load_labels(benchmark::State& state) {
    const std::string text = labelled_jumps(state.range(0));
    for (auto _ : state) {
        const ptx::Module module = parsed(text);
        benchmark::DoNotOptimize(simt::Kernel::load(module, module.entries().front()->name, text));
    }
}

void lower_labels(benchmark::State& state) {
    const std::string text = labelled_jumps(state.range(0));
    const ptx::Module module = parsed(text);
    const auto kernel = simt::Kernel::load(module, module.entries().front()->name, text);
    if (!kernel) return state.SkipWithError("not executable");
    for (auto _ : state) {
        const auto machine = simt::lower((*kernel)->program(), sm_timing(**find_gpu("H200")), 32);
        if (!machine) return state.SkipWithError(machine.error().message.c_str());
    }
}

BENCHMARK(parse_and_load_labels)
    ->ArgName("labels")
    ->Arg(25'000)
    ->Arg(50'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(lower_labels)
    ->ArgName("labels")
    ->Arg(25'000)
    ->Arg(50'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(parse_text)->ArgName("many_functions")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(load_kernel)->ArgName("many_functions")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(parse_and_load)->ArgName("many_functions")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
