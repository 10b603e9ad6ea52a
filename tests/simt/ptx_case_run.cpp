#include "tests/simt/ptx_case_run.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "core/problem.h"

namespace warplens {
namespace {

constexpr std::size_t slot_bytes = 8;
constexpr std::uint8_t filler = 0xcc;  // of `out` before the run
constexpr int most_failures_shown = 12;

std::vector<std::byte> input_bytes(const PtxCase& ptx_case) {
    std::vector<std::byte> bytes;
    for (const PtxCaseRow& row : ptx_case.rows)
        for (const std::uint64_t value : row.inputs) {
            const auto* begin = reinterpret_cast<const std::byte*>(&value);
            bytes.insert(bytes.end(), begin, begin + slot_bytes);
        }
    bytes.resize(std::max<std::size_t>(bytes.size(), slot_bytes));
    return bytes;
}

std::vector<std::byte> argument_bytes(const Program& program, const PtxCase& ptx_case, std::uint64_t in,
                                      std::uint64_t out) {
    std::vector<std::uint64_t> values{in, out};
    for (const PtxCaseArgument& argument : ptx_case.arguments) values.push_back(argument.bits);
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < program.parameters.size() && i < values.size(); ++i) {
        const Parameter& parameter = program.parameters[i];
        bytes.resize(std::max<std::size_t>(bytes.size(), parameter.offset + parameter.bytes));
        std::memcpy(bytes.data() + parameter.offset, &values[i],
                    std::min<std::size_t>(parameter.bytes, slot_bytes));
    }
    return bytes;
}

std::string describe_inputs(const PtxCase& ptx_case, const PtxCaseRow& row) {
    std::string text;
    for (std::size_t i = 0; i < row.inputs.size(); ++i)
        text += fmt::format("{}{} {:0{}x}", i == 0 ? "" : ", ", ptx_case.input_types[i], row.inputs[i],
                            2 * bytes_of_ptx_type(ptx_case.input_types[i]));
    return text;
}

void compare(const PtxCase& ptx_case, const simt::GlobalMemory& memory, std::uint64_t out,
             const std::string& file) {
    int failures = 0;
    for (std::size_t thread = 0; thread < ptx_case.rows.size(); ++thread) {
        for (std::size_t k = 0; k < ptx_case.results.size(); ++k) {
            const PtxCaseResult& result = ptx_case.results[k];
            const ExpectedValue& expected = ptx_case.rows[thread].results[k];
            std::uint8_t slot[slot_bytes];
            const std::uint64_t address = out + slot_bytes * (thread * ptx_case.results.size() + k);
            const std::byte* bytes = memory.at(address, slot_bytes);
            ASSERT_NE(bytes, nullptr);
            std::memcpy(slot, bytes, slot_bytes);
            const int width = bytes_of_ptx_type(result.type);
            std::uint64_t got = 0;
            std::memcpy(&got, slot, static_cast<std::size_t>(width));
            const bool rest_untouched = std::all_of(slot + width, slot + slot_bytes,
                                                    [](std::uint8_t byte) { return byte == filler; });
            if (is_as_expected(result, expected, got) && rest_untouched) continue;
            if (++failures > most_failures_shown) continue;
            const std::string wanted =
                expected.any_nan ? "a NaN" : fmt::format("{:0{}x}", expected.bits, 2 * width);
            ADD_FAILURE() << fmt::format("{}, {}: {} of thread {} ({}) must be {}, is {:0{}x}{}", file,
                                         ptx_case.name, result.form, thread,
                                         describe_inputs(ptx_case, ptx_case.rows[thread]), wanted, got,
                                         2 * width, rest_untouched ? "" : ", and bytes beside it changed");
        }
    }
    if (failures > most_failures_shown)
        ADD_FAILURE() << fmt::format("{}, {}: {} more", file, ptx_case.name, failures - most_failures_shown);
}

}  // namespace

void run_ptx_case(const simt::Kernel& kernel, const Program& parameters, const PtxCase& ptx_case,
                  const std::string& file) {
    simt::GlobalMemory memory;
    const std::uint64_t in = memory.allocate("in", input_bytes(ptx_case));
    const std::size_t out_bytes =
        slot_bytes * ptx_case.rows.size() * std::max<std::size_t>(1, ptx_case.results.size());
    const std::uint64_t out = memory.allocate("out", std::vector<std::byte>(out_bytes, std::byte{filler}));
    const LaunchGeometry geometry{{1, 1, 1}, ptx_case.block, ptx_case.dynamic_shared_bytes};
    simt::RunOptions options;
    options.threads = 1;
    options.max_steps_per_warp = 1'000'000;
    const auto arguments = argument_bytes(parameters, ptx_case, in, out);
    const simt::RunResult run = simt::run(kernel, geometry, arguments, memory, options, nullptr);

    std::set<std::string> problems;
    for (const Problem& problem : run.problems) {
        problems.insert(std::string(to_string(problem.kind)));
        if (to_string(problem.kind) != ptx_case.problem)
            ADD_FAILURE() << fmt::format("{}, {}: {}", file, ptx_case.name, problem.message);
    }
    if (!ptx_case.problem.empty()) {
        EXPECT_THAT(problems, ::testing::ElementsAre(ptx_case.problem)) << ptx_case.name;
    } else {
        EXPECT_TRUE(run.completed) << ptx_case.name;
    }
    compare(ptx_case, memory, out, file);
}

}  // namespace warplens
