// One launch at the PTX level and at the machine level.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

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
