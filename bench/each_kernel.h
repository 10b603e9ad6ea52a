// The main function of benchmarks that measure every kernel of the catalogue.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdio>
#include <initializer_list>
#include <memory>

#include "app/command_line/target.h"
#include "instrumentation/catalog/catalogue.h"
#include "instrumentation/hidden_command.h"

namespace warplens::bench {

using Kernel = std::shared_ptr<const instrumentation::KernelFile>;

struct KernelBenchmark {
    const char* name;
    void (*body)(benchmark::State&, const Kernel&);
};

/// Registers "kernel/name" for each kernel and benchmark, and runs those that the arguments ask for. Returns
/// the exit code.
inline int run_each_kernel(int argument_count, char** arguments,
                           std::initializer_list<KernelBenchmark> benchmarks) {
    if (const auto code = instrumentation::run_hidden_command(argument_count, arguments)) return *code;
    const auto kernels = app::catalogue();
    if (!kernels) {
        std::fprintf(stderr, "%s\n", kernels.error().message.c_str());
        return 2;
    }
    for (const auto& each : *kernels) {
        const auto kernel = std::make_shared<const instrumentation::KernelFile>(each);
        for (const KernelBenchmark& one : benchmarks)
            benchmark::RegisterBenchmark((each.name + "/" + one.name).c_str(), one.body, kernel)
                ->Unit(benchmark::kMillisecond)
                ->UseRealTime();
    }
    benchmark::Initialize(&argument_count, arguments);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}

}  // namespace warplens::bench
