// Small kernels, and what recording makes of them where it relies on whole warps.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/rewrite/instrument.h"
#include "instrumentation/rewrite/whole_warps.h"
#include "ptx/parser.h"

namespace warplens::instrumentation {

inline constexpr std::string_view head =
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
    ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\nld.param.u32 %r1, [n];\n";

inline ptx::Module kernel(const std::string& body) {
    auto module = ptx::parse(std::string(head) + body + "\n}\n", "k.ptx");
    EXPECT_TRUE(module) << module.error().message;
    return std::move(*module);
}

inline std::vector<bool> whole(const std::string& body) {
    const ptx::Module module = kernel(body);
    const auto numbered = ptx::number_sites(module, "k", "");
    EXPECT_TRUE(numbered) << numbered.error().message;
    return predict_whole_warps(module, *numbered, build_block_graph(module, *numbered)).whole;
}

/// The PTX of the form for warps of 64 threads.
inline std::string recorded(const ptx::Module& module, bool predict) {
    InstrumentOptions how;
    how.launch = KnownLaunch{.geometry = {{8, 1, 1}, {64, 1, 1}, 0}};
    how.predict_whole = predict;
    const auto made = instrument(module, "k", how);
    EXPECT_TRUE(made) << made.error().message;
    return made ? made->ptx : "";
}

/// 8 blocks of two warps, which the recording relies on.
inline InstrumentOptions with_whole_warps() {
    InstrumentOptions how;
    how.launch = KnownLaunch{.geometry = {{8, 1, 1}, {64, 1, 1}, 0}};
    how.predict_whole = true;
    return how;
}

}  // namespace warplens::instrumentation
