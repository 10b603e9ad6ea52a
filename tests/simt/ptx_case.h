// PtxCase: one kernel of a tests/ptx_cases/*.ptx file with its inputs and the results it must give, read from
// the comment above it. tests/ptx_cases/README.md describes the form.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/launch.h"
#include "core/result.h"

namespace warplens {

enum class Nearness : std::uint8_t { exact, ulp, absolute, relative };

struct PtxCaseResult {
    std::string type;  // "f32"
    std::string form;  // "div.full.f32"
    Nearness nearness = Nearness::exact;
    double tolerance = 0;  // ulps, or the bound itself
};

struct ExpectedValue {
    std::uint64_t bits = 0;
    bool any_nan = false;
};

struct PtxCaseRow {
    std::vector<std::uint64_t> inputs;
    std::vector<ExpectedValue> results;
};

struct PtxCaseArgument {
    std::string type;
    std::uint64_t bits = 0;
};

struct PtxCase {
    std::string name;  // of the kernel
    std::vector<std::string> input_types;
    std::vector<PtxCaseResult> results;
    std::vector<PtxCaseArgument> arguments;  // after `in` and `out`
    std::vector<PtxCaseRow> rows;            // one per thread
    Dim3 block;
    std::uint32_t dynamic_shared_bytes = 0;
    std::string problem;  // kind that the run must report; empty: none
};

std::filesystem::path ptx_case_folder();
/// The files in it without their ending, sorted.
std::vector<std::string> ptx_case_files();

Result<std::vector<PtxCase>> read_ptx_cases(std::string_view text);

/// Bytes of a value of the type; 0 when the type is unknown.
int bytes_of_ptx_type(std::string_view type);

/// Whether the low bytes of `got` match the row.
bool is_as_expected(const PtxCaseResult& result, const ExpectedValue& expected, std::uint64_t got);

}  // namespace warplens
