// Runs every tests/ptx_cases/*.ptx on the CPU engine and compares with the values in its comments.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "core/problem.h"
#include "ptx/opcodes.h"
#include "ptx/parser.h"
#include "simt/functional/engine.h"
#include "tests/simt/ptx_case.h"

namespace warplens {
namespace {

constexpr std::size_t slot_bytes = 8;
constexpr std::uint8_t filler = 0xcc;  // of `out` before the run
constexpr int most_failures_shown = 12;

std::filesystem::path folder() { return std::filesystem::path(WARPLENS_SOURCE_FOLDER) / "tests/ptx_cases"; }

std::vector<std::string> stems() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder()))
        if (entry.path().extension() == ".ptx") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

/// A file is named after its opcode; what follows a dot is the GPU that it is for: "cvt.sm_100a".
std::string opcode_of(const std::string& stem) { return stem.substr(0, stem.find('.')); }

std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

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

void run_case(const ptx::Module& module, const std::string& text, const PtxCase& ptx_case,
              const std::string& file) {
    const auto kernel = simt::Kernel::load(module, ptx_case.name, text);
    ASSERT_TRUE(kernel.has_value()) << kernel.error().message;
    for (const auto& form : (*kernel)->unsupported())
        ADD_FAILURE() << fmt::format("{}:{}: {} is not executed", file, form.ptx_line, form.spelling);
    if (!(*kernel)->unsupported().empty()) return;

    simt::GlobalMemory memory;
    const std::uint64_t in = memory.allocate("in", input_bytes(ptx_case));
    const std::size_t out_bytes =
        slot_bytes * ptx_case.rows.size() * std::max<std::size_t>(1, ptx_case.results.size());
    const std::uint64_t out = memory.allocate("out", std::vector<std::byte>(out_bytes, std::byte{filler}));
    const LaunchGeometry geometry{{1, 1, 1}, ptx_case.block, ptx_case.dynamic_shared_bytes};
    simt::RunOptions options;
    options.threads = 1;
    options.max_steps_per_warp = 1'000'000;
    const auto arguments = argument_bytes((*kernel)->program(), ptx_case, in, out);
    const simt::RunResult run = simt::run(**kernel, geometry, arguments, memory, options, nullptr);

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

class PtxCases : public ::testing::TestWithParam<std::string> {};

TEST_P(PtxCases, gives_the_calculated_values) {
    const std::string file = GetParam() + ".ptx";
    const std::string text = read_text(folder() / file);
    const auto cases = read_ptx_cases(text);
    ASSERT_TRUE(cases.has_value()) << cases.error().message;
    const auto module = ptx::parse(text, file);
    ASSERT_TRUE(module.has_value()) << module.error().message;
    EXPECT_EQ(module->entries().size(), cases->size());
    for (const PtxCase& ptx_case : *cases) run_case(*module, text, ptx_case, file);
}

TEST_P(PtxCases, execute_the_opcode_they_are_named_after) {
    const auto module = ptx::parse(read_text(folder() / (GetParam() + ".ptx")), GetParam());
    ASSERT_TRUE(module.has_value()) << module.error().message;
    int count = 0;
    for (const ptx::Function& function : module->functions)
        for (const ptx::Statement& statement : function.body)
            if (const auto* instruction = std::get_if<ptx::Instruction>(&statement))
                count += instruction->opcode == opcode_of(GetParam());
    EXPECT_GT(count, 0);
}

INSTANTIATE_TEST_SUITE_P(opcodes, PtxCases, ::testing::ValuesIn(stems()), [](const auto& parameter) {
    std::string name = parameter.param;
    std::ranges::replace(name, '.', '_');
    return name;
});

/// Opcodes of the table that have no case, and why.
const std::map<std::string_view, std::string_view>& exclusions() {
    static const std::map<std::string_view, std::string_view> reasons{
        {"brkpt", "stops in a debugger, there is no result to compare"},
        {"setmaxnreg", "sets the number of registers of a warp; there is no result to compare"},
        {"griddepcontrol", "orders launches, of which the engine runs one"},
        {"applypriority", "a hint to a cache; there is no result to compare"},
        {"discard", "a hint to a cache; there is no result to compare"},
        {"createpolicy", "a hint to a cache, its result is opaque"},
        {"pmevent", "triggers a profiler's counter, there is no result to compare"},
        {"mbarrier", "needs more than one warp; see async_test.cpp"},
        {"mapa", "needs a cluster launch; see cluster_memory_test.cpp"},
        {"getctarank", "needs a cluster launch; see cluster_memory_test.cpp"},
        {"wmma", "tensor"},
        {"mma", "tensor"},
        {"ldmatrix", "tensor"},
        {"stmatrix", "tensor"},
        {"movmatrix", "tensor"},
        {"tex", "needs an image: image_instructions_test.cpp"},
        {"tld4", "needs an image: image_instructions_test.cpp"},
        {"txq", "needs an image: image_instructions_test.cpp"},
        {"suld", "needs an image: image_instructions_test.cpp"},
        {"sust", "needs an image: image_instructions_test.cpp"},
        {"suq", "needs an image: image_instructions_test.cpp"},
        {"sured", "needs an image: image_instructions_test.cpp"},
    };
    return reasons;
}

TEST(ptx_cases, every_opcode_of_the_table_has_a_case_or_a_reason) {
    const std::vector<std::string> names = stems();
    for (const ptx::OpcodeRow& row : ptx::opcodes()) {
        const bool has_case =
            std::ranges::any_of(names, [&](const std::string& name) { return opcode_of(name) == row.name; });
        const bool is_excluded = exclusions().contains(row.name);
        EXPECT_NE(has_case, is_excluded)
            << row.name << (has_case ? " has a case and a reason for none" : " has no case");
    }
}

TEST(ptx_cases, every_case_and_every_reason_belongs_to_an_opcode_of_the_table) {
    for (const std::string& name : stems()) EXPECT_NE(ptx::find_opcode(opcode_of(name)), nullptr) << name;
    for (const auto& [name, reason] : exclusions()) EXPECT_NE(ptx::find_opcode(name), nullptr) << name;
}

}  // namespace
}  // namespace warplens
