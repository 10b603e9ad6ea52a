// Instructions of the PTX ISA beyond those that two corpora of real kernels use (real_forms_test.cpp): one
// line per form in tests/ptx/isa_forms.txt, all of which NVIDIA's assembler accepts for some GPU. Forms below
// "executed" are executed; forms below "refused" are listed under their own names and do not prevent other
// forms from being listed.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "ptx/parser.h"
#include "simt/functional/engine.h"
#include "tests/support/folders.h"

namespace warplens {
namespace {

/// Section of the file -> its instructions.
std::map<std::string, std::vector<std::string>> read_forms() {
    std::ifstream file(std::filesystem::path(source_folder()) / "tests/ptx/isa_forms.txt");
    std::map<std::string, std::vector<std::string>> forms;
    std::string section;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line.starts_with('#')) continue;
        if (line.ends_with(':')) section = line.substr(0, line.size() - 1);
        else forms[section].push_back(line);
    }
    return forms;
}

std::string module_of(const std::vector<std::string>& instructions) {
    std::string body;
    for (const std::string& instruction : instructions) body += instruction + "\n";
    return ".version 9.0\n.target sm_120\n.address_size 64\n.const .align 16 .b8 table[64];\n"
           ".visible .entry k(.param .u64 out, .param .u32 scalar)\n{\n"
           ".reg .pred %p<9>;\n.reg .b8 %c<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n"
           ".reg .b64 %rd<9>;\n.reg .f64 %fd<9>;\n.reg .b128 %q<9>;\n" +
           body + "DONE: ret;\n}\n";
}

std::shared_ptr<const simt::Kernel> loaded(const std::vector<std::string>& instructions) {
    const std::string text = module_of(instructions);
    const auto module = ptx::parse(text, "isa_forms");
    if (!module) {
        ADD_FAILURE() << module.error().message;
        return nullptr;
    }
    const auto kernel = simt::Kernel::load(*module, "k", text);
    if (!kernel) ADD_FAILURE() << kernel.error().message;
    return kernel ? *kernel : nullptr;
}

/// "add.s32" of "add.s32 %r1, %r2, %r3;"
std::string spelling_of(const std::string& instruction) {
    return instruction.substr(0, std::min(instruction.find(' '), instruction.find(';')));
}

TEST(isa_forms, that_are_said_to_be_executed_are) {
    const auto forms = read_forms().at("executed");
    EXPECT_GT(forms.size(), 300u);
    const auto kernel = loaded(forms);
    ASSERT_NE(kernel, nullptr);
    for (const auto& missing : kernel->unsupported())
        ADD_FAILURE() << missing.spelling << ": " << missing.reason;
}

TEST(isa_forms, that_are_refused_are_each_listed_by_name_with_a_reason) {
    const auto forms = read_forms().at("refused");
    for (const std::string& form : forms) {
        const auto kernel = loaded({"add.s32 %r1, %r2, %r3;", form});
        ASSERT_NE(kernel, nullptr);
        ASSERT_EQ(kernel->unsupported().size(), 1u) << form;
        EXPECT_THAT(kernel->unsupported()[0].spelling, testing::StartsWith(spelling_of(form)));
        EXPECT_GT(kernel->unsupported()[0].reason.size(), 10u) << form;
    }
    const auto all = loaded(forms);
    ASSERT_NE(all, nullptr);
    std::uint32_t count = 0;
    for (const auto& missing : all->unsupported()) count += missing.count;
    EXPECT_EQ(count, forms.size()) << "one of them hides another";
}

}  // namespace
}  // namespace warplens
