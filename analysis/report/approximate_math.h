// Approximate instructions that a launch executed: PTX only bounds the error of their results, so a GPU's
// last bits may differ from the CPU engine's and from another GPU's. docs/approximate_math.md has the same
// bounds with their reasons; tests/simt/approximate_math_test.cpp checks the engine against them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/launch_report.h"

namespace warplens::analysis {

/// The error that PTX allows for one function, and that of the CPU engine. Errors are relative to the exact
/// value.
struct ApproximationBound {
    std::string_view opcode, word, type;  // "ex2", "approx", "f32"; the form may also have .ftz
    std::string_view allowed;             // "2 ulp"
    std::string_view over;                // the operands to which this applies
    std::string_view engine;              // "0.51 ulp"
};

/// nullptr for an instruction that is not an approximation: "sqrt.rn.f32".
const ApproximationBound* approximation_bound(std::string_view form);

struct Approximation {
    std::string form;  // as in the PTX: "ex2.approx.ftz.f32"
    const ApproximationBound* bound = nullptr;
    std::uint64_t steps = 0;    // warp-instructions executed
    std::vector<SiteId> sites;  // sites that executed it, ascending
};

/// In program order; forms that no warp executed are left out.
std::vector<Approximation> approximations(const LaunchReport& report, const Program& program);

}  // namespace warplens::analysis
