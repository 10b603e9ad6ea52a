// The launches whose recording is measured.
#pragma once

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/hardware/measured_table.h"

namespace warplens {

struct CostLaunch {
    std::string folder, kernel, parameters;
};

/// Every launch of tests/hardware/h200_counters.csv and a larger saxpy, or every kernel of `folder` at its
/// default parameters. `wanted`: names of kernels; empty: all.
inline std::vector<CostLaunch> cost_launches(const std::string& folder, const std::set<std::string>& wanted) {
    std::vector<CostLaunch> all;
    if (folder.empty()) {
        for (const hardware::MeasuredRow& row : hardware::read_measured_table("h200_counters.csv"))
            all.push_back({"kernels", row.text("kernel"), row.text("parameters")});
        all.push_back({"kernels", "saxpy", "n=4194304"});
    } else {
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.path().extension() == ".cu") all.push_back({folder, entry.path().stem().string(), ""});
        std::ranges::sort(all, {}, &CostLaunch::kernel);
    }
    std::erase_if(
        all, [&](const CostLaunch& launch) { return !wanted.empty() && !wanted.contains(launch.kernel); });
    return all;
}

}  // namespace warplens
