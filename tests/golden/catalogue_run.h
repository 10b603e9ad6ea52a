// Runs one catalogue kernel through the real pipeline and sums its events; shared by the tests of the
// catalogue's figures.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/command_line/target.h"
#include "app/pipeline/pipeline.h"
#include "catalogue_kernels.h"
#include "trace/query.h"

namespace warplens::app {

using Overrides = std::map<std::string, std::string>;

/// Keeps the trace, whatever the options say.
inline Executed execute_with(ExecuteOptions options, const std::string& name, const Overrides& overrides) {
    static const auto pipeline = make_pipeline();
    for (const auto& kernel : catalogue_kernels()) {
        if (kernel->name != name) continue;
        auto loaded = pipeline->load({kernel, overrides, "", {}});
        EXPECT_TRUE(loaded) << loaded.error().message;
        options.keep_trace = true;
        auto executed = pipeline->execute(std::move(*loaded), options);
        EXPECT_TRUE(executed) << executed.error().message;
        return std::move(*executed);
    }
    ADD_FAILURE() << "no kernel is named " << name;
    return {};
}

inline Executed execute(const std::string& name, const Overrides& overrides,
                        std::vector<std::uint64_t> blocks = {}, bool model_time = false) {
    ExecuteOptions options;
    options.model_time = model_time;
    options.blocks = std::move(blocks);
    return execute_with(std::move(options), name, overrides);
}

inline double sectors_per_request(const analysis::AccessTotals& totals) {
    return static_cast<double>(totals.sectors) / static_cast<double>(totals.requests);
}

/// Elements loaded or stored, one per lane, by all threads.
inline std::uint64_t lanes_of(const Executed& run, Space space, Operation operation) {
    std::uint64_t lanes = 0;
    for (const auto& site : run.report->sites) {
        const Site& instruction = run.trace->program.sites[site.site];
        if (instruction.space == space && instruction.operation == operation) lanes += site.executed_lanes;
    }
    return lanes;
}

/// The lanes of each request of one kind, in the order in which the first warp made them.
inline std::vector<std::uint32_t> masks_of_first_warp(const Executed& run, Space space, Operation operation) {
    std::vector<std::uint32_t> masks;
    const auto& warp = run.trace->warps.front();
    for (auto i = warp.accesses_begin; i < warp.accesses_end; ++i) {
        const auto& access = run.trace->accesses[i];
        const Site& site = run.trace->program.sites[access.site];
        if (access.space == space && site.operation == operation) masks.push_back(access.mask.bits);
    }
    return masks;
}

inline std::int32_t element(const Executed& run, const std::string& buffer, std::size_t index) {
    std::int32_t value = 0;
    std::memcpy(&value, run.memory.find(buffer)->data.data() + index * sizeof value, sizeof value);
    return value;
}

}  // namespace warplens::app
