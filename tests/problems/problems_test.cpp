// Right kernels (right_*.cu), which must be silent, and small wrong ones, each with the problem it must be
// caught with marked on its lines, and with its corrected twin (FIXED = 1), which must be silent. The PTX of
// both lies in ptx/, so that no NVRTC is needed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "instrumentation/catalog/arguments.h"
#include "instrumentation/catalog/catalogue.h"
#include "instrumentation/catalog/expected_problems.h"
#include "instrumentation/compile/compiler.h"
#include "ptx/parser.h"
#include "simt/functional/engine.h"
#include "tests/support/folders.h"

namespace warplens {
namespace {

std::string described(const Problem& problem) {
    std::string text =
        fmt::format("{} at line {}: {}", to_string(problem.kind), problem.line, problem.message);
    if (problem.other) text += fmt::format(" (other: line {})", problem.other->line);
    return text + "\n";
}

bool is_right(const std::string& name) { return name.starts_with("right_"); }

class Problems : public testing::TestWithParam<std::string> {
  protected:
    instrumentation::KernelFile load() const {
        auto file = instrumentation::load_kernel_file(
            fmt::format("{}/tests/problems/{}.cu", source_folder(), GetParam()));
        if (!file) throw std::runtime_error(file.error().message);
        return *file;
    }

    static std::vector<Problem> run(const instrumentation::KernelFile& file, bool fixed) {
        std::map<std::string, std::string> overrides;
        if (fixed) overrides["FIXED"] = "1";
        auto values = instrumentation::resolve_parameters(file, overrides);
        if (!values) throw std::runtime_error(values.error().message);
        instrumentation::CompileRequest request;
        request.name = file.name + ".cu";
        request.source = file.source;
        request.macros = instrumentation::compile_macros(file, *values);
        static const auto compiler = instrumentation::make_compiler(
            {.assets_folder = source_folder() + "/tests/problems", .cache_folder = "", .use_nvrtc = false});
        auto compiled = compiler->compile(request);
        if (!compiled) throw std::runtime_error(compiled.error().message);
        auto module = ptx::parse(compiled->ptx, request.name);
        if (!module) throw std::runtime_error(module.error().message);
        auto entry = instrumentation::find_entry(*compiled, file.entry);
        if (!entry) throw std::runtime_error(entry.error().message);
        auto kernel = simt::Kernel::load(*module, *entry, compiled->ptx);
        if (!kernel) throw std::runtime_error(kernel.error().message);
        EXPECT_TRUE((*kernel)->unsupported().empty());
        auto prepared = instrumentation::prepare_launch(file, *values, std::uint64_t{1} << 30);
        if (!prepared) throw std::runtime_error(prepared.error().message);

        simt::GlobalMemory memory;
        std::vector<std::uint64_t> addresses;
        for (auto& buffer : prepared->buffers) {
            addresses.push_back(buffer.unwritten ? memory.allocate_unwritten(buffer.name, buffer.data.size())
                                                 : memory.allocate(buffer.name, buffer.data));
        }
        auto arguments =
            instrumentation::lay_out_arguments(*prepared, (*kernel)->program().parameters, addresses);
        if (!arguments) throw std::runtime_error(arguments.error().message);
        simt::RunOptions options;
        options.detect_races = true;
        options.max_steps_per_warp = 100'000;
        return simt::run(**kernel, prepared->geometry, *arguments, memory, options, nullptr).problems;
    }
};

TEST_P(Problems, the_wrong_kernel_is_caught_with_kind_and_lines) {
    const auto file = load();
    const auto expected = instrumentation::expected_problems(file.source);
    ASSERT_EQ(expected.empty(), is_right(GetParam())) << "no line says what is expected";
    const std::vector<Problem> problems = run(file, false);
    instrumentation::ExpectedProblems found;
    std::string all;
    for (const Problem& problem : problems) {
        found[std::string(to_string(problem.kind))].insert(problem.line);
        if (problem.other) found[std::string(to_string(problem.kind))].insert(problem.other->line);
        all += described(problem);
        EXPECT_GT(problem.message.size(), 30u) << problem.message;
        if (problem.kind == ProblemKind::shared_race || problem.kind == ProblemKind::global_race) {
            EXPECT_TRUE(problem.other.has_value()) << problem.message;
            EXPECT_FALSE(problem.element.empty()) << problem.message;
        }
    }
    EXPECT_EQ(found, expected) << all;
}

TEST_P(Problems, the_corrected_twin_is_silent) {
    for (const Problem& problem : run(load(), !is_right(GetParam()))) ADD_FAILURE() << described(problem);
}

std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(source_folder() + "/tests/problems"))
        if (entry.path().extension() == ".cu") names.push_back(entry.path().stem());
    std::sort(names.begin(), names.end());
    return names;
}

INSTANTIATE_TEST_SUITE_P(kernels, Problems, testing::ValuesIn(names()),
                         [](const auto& info) { return info.param; });

TEST(problems, at_least_fifty_wrong_kernels_are_tried) {
    const auto all = names();
    EXPECT_GE(std::ranges::count_if(all, [](const auto& name) { return !is_right(name); }), 50);
}

}  // namespace
}  // namespace warplens
