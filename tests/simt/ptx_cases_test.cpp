// Runs every tests/ptx_cases/*.ptx on the CPU engine and compares with the values in its comments.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "ptx/opcodes.h"
#include "ptx/parser.h"
#include "tests/simt/ptx_case.h"
#include "tests/simt/ptx_case_run.h"

namespace warplens {
namespace {

/// A file is named after its opcode; what follows a dot is the GPU that it is for: "cvt.sm_100a".
std::string opcode_of(const std::string& stem) { return stem.substr(0, stem.find('.')); }

std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void run_case(const ptx::Module& module, const std::string& text, const PtxCase& ptx_case,
              const std::string& file) {
    const auto kernel = simt::Kernel::load(module, ptx_case.name, text);
    ASSERT_TRUE(kernel.has_value()) << kernel.error().message;
    for (const auto& form : (*kernel)->unsupported())
        ADD_FAILURE() << fmt::format("{}:{}: {} is not executed", file, form.ptx_line, form.spelling);
    if (!(*kernel)->unsupported().empty()) return;

    run_ptx_case(**kernel, (*kernel)->program(), ptx_case, file);
}

class PtxCases : public ::testing::TestWithParam<std::string> {};

TEST_P(PtxCases, gives_the_calculated_values) {
    const std::string file = GetParam() + ".ptx";
    const std::string text = read_text(ptx_case_folder() / file);
    const auto cases = read_ptx_cases(text);
    ASSERT_TRUE(cases.has_value()) << cases.error().message;
    const auto module = ptx::parse(text, file);
    ASSERT_TRUE(module.has_value()) << module.error().message;
    EXPECT_EQ(module->entries().size(), cases->size());
    for (const PtxCase& ptx_case : *cases) run_case(*module, text, ptx_case, file);
}

TEST_P(PtxCases, execute_the_opcode_they_are_named_after) {
    const auto module = ptx::parse(read_text(ptx_case_folder() / (GetParam() + ".ptx")), GetParam());
    ASSERT_TRUE(module.has_value()) << module.error().message;
    int count = 0;
    for (const ptx::Function& function : module->functions)
        for (const ptx::Statement& statement : function.body)
            if (const auto* instruction = std::get_if<ptx::Instruction>(&statement))
                count += instruction->opcode == opcode_of(GetParam());
    EXPECT_GT(count, 0);
}

INSTANTIATE_TEST_SUITE_P(opcodes, PtxCases, ::testing::ValuesIn(ptx_case_files()), [](const auto& parameter) {
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
    const std::vector<std::string> names = ptx_case_files();
    for (const ptx::OpcodeRow& row : ptx::opcodes()) {
        const bool has_case =
            std::ranges::any_of(names, [&](const std::string& name) { return opcode_of(name) == row.name; });
        const bool is_excluded = exclusions().contains(row.name);
        EXPECT_NE(has_case, is_excluded)
            << row.name << (has_case ? " has a case and a reason for none" : " has no case");
    }
}

TEST(ptx_cases, every_case_and_every_reason_belongs_to_an_opcode_of_the_table) {
    for (const std::string& name : ptx_case_files())
        EXPECT_NE(ptx::find_opcode(opcode_of(name)), nullptr) << name;
    for (const auto& [name, reason] : exclusions()) EXPECT_NE(ptx::find_opcode(name), nullptr) << name;
}

}  // namespace
}  // namespace warplens
