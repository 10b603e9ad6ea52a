// One launch at the PTX level and at the machine level.
#pragma once

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/command_line/target.h"
#include "app/pipeline/pipeline.h"

namespace warplens::app {

/// With the compiler of this machine.
inline Pipeline& levels_pipeline() {
    static const auto shared = make_pipeline();
    return *shared;
}

/// Other kernels than the catalogue's, whose code is shipped.
inline bool can_compile() { return levels_pipeline().compiler().description().starts_with("NVRTC "); }

struct LevelRun : Executed {
    Program program;  // of the report's sites
};

/// A file of its own, with a header.
inline std::shared_ptr<const instrumentation::KernelFile> kernel_of(const std::string& name,
                                                                    const std::string& source) {
    auto kernel = instrumentation::read_kernel_file(name + ".cu", source);
    EXPECT_TRUE(kernel) << kernel.error().message;
    return std::make_shared<const instrumentation::KernelFile>(kernel ? std::move(*kernel)
                                                                      : instrumentation::KernelFile{});
}

/// `gpu`: empty: the default one.
inline LevelRun run_at(const std::shared_ptr<const instrumentation::KernelFile>& kernel, Level level,
                       const std::string& gpu = {}) {
    LaunchRequest request{kernel, {}, gpu, {}};
    request.level = level;
    auto loaded = levels_pipeline().load(request);
    EXPECT_TRUE(loaded) << loaded.error().message;
    if (!loaded) return {};
    Program program = loaded->program;
    auto executed = levels_pipeline().execute(std::move(*loaded), {});
    EXPECT_TRUE(executed) << executed.error().message;
    return executed ? LevelRun{std::move(*executed), std::move(program)} : LevelRun{};
}

/// Whether some instruction is executed whose opcode begins like this.
inline bool executes(const LevelRun& run, std::string_view opcode) {
    return std::ranges::any_of(run.report->sites, [&](const analysis::SiteReport& site) {
        return site.steps > 0 && run.program.sites[site.site].opcode.starts_with(opcode);
    });
}

/// Each thread's lines in their order. Which of two paths prints first is the compiler's choice.
inline std::vector<std::string> lines_of_threads(const PrintedCalls& printed) {
    std::vector<Printed> calls = printed.calls;
    const auto place = [](const Printed& call) {
        return std::array{call.block.x,  call.block.y,  call.block.z,
                          call.thread.x, call.thread.y, call.thread.z};
    };
    std::ranges::stable_sort(calls, {}, place);
    std::vector<std::string> lines;
    for (const Printed& call : calls)
        lines.push_back(fmt::format("{} line {}: {}", fmt::join(place(call), ","), call.line, call.text));
    return lines;
}

/// What was printed, by whom and in which line.
inline void expect_the_same_printed(const Executed& ptx, const Executed& machine) {
    ASSERT_TRUE(ptx.report->printed && machine.report->printed);
    EXPECT_EQ(machine.report->printed->dropped, ptx.report->printed->dropped);
    EXPECT_EQ(lines_of_threads(*machine.report->printed), lines_of_threads(*ptx.report->printed));
}

inline void expect_the_same_bytes(const Executed& ptx, const Executed& machine) {
    for (const simt::Allocation& each : machine.memory.allocations())
        EXPECT_TRUE(ptx.memory.find(each.name)) << each.name << " is at the machine level alone";
    for (const simt::Allocation& expected : ptx.memory.allocations()) {
        const simt::Allocation* found = machine.memory.find(expected.name);
        ASSERT_TRUE(found) << expected.name << " is missing at the machine level";
        EXPECT_TRUE(found->data == expected.data) << expected.name << " differs";
    }
}

}  // namespace warplens::app
