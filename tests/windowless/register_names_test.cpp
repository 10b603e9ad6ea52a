// Names of registers: which are given, and which are not because they would be wrong.
#include "app/pipeline/values/register_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ptx/parser.h"
#include "ptx/program.h"

namespace warplens::app {
namespace {

/// The name of a register of a kernel `k`; `body` has `.loc 1 LINE 1` before the instructions of each line.
std::string name_in(const std::string& source, const std::string& body, const std::string& reg) {
    const std::string text =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 k_param_0)\n{\n"
        ".reg .pred %p<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n" +
        body + "ret;\n}\n.file 1 \"k.cu\"\n";
    auto module = ptx::parse(text, "k.ptx");
    EXPECT_TRUE(module) << module.error().message;
    auto numbered = ptx::number_sites(*module, "k", text);
    EXPECT_TRUE(numbered) << numbered.error().message;
    Program program = std::move(numbered->program);
    EXPECT_FALSE(program.sources.empty());
    program.sources.at(0).text = source;
    const ptx::Function& function = module->functions.at(0);
    const std::vector<std::string> names = register_names(function, program);
    for (std::size_t i = 0; i < names.size(); ++i)
        if (function.registers[i].name == reg) return names[i];
    return "there is none";
}

TEST(register_names, a_line_that_declares_one_variable_names_its_value) {
    EXPECT_EQ(name_in("int row = threadIdx.x / 32;\nout[row] = 1;\n",
                      ".loc 1 1 1\nmov.u32 %r1, %tid.x;\nshr.s32 %r2, %r1, 5;\n"
                      ".loc 1 2 1\nst.global.u32 [%rd1], %r2;\n",
                      "%r2"),
              "row");
}

// k is %r3, which changes; %r2, of the same line and used on the next, is something else.
TEST(register_names, a_line_with_a_changing_register_names_no_other_one) {
    EXPECT_EQ(name_in("for (int k = threadIdx.x / 32; k < 9; k += 3)\nout[k] = row;\n",
                      ".loc 1 1 1\nmov.u32 %r1, %tid.x;\nshr.s32 %r2, %r1, 5;\nmov.u32 %r3, %r1;\n"
                      "LOOP:\n.loc 1 2 1\nst.global.u32 [%rd1], %r2;\n"
                      ".loc 1 1 1\nadd.s32 %r3, %r3, 3;\nsetp.lt.s32 %p1, %r3, 9;\n@%p1 bra LOOP;\n",
                      "%r2"),
              "");
}

}  // namespace
}  // namespace warplens::app
