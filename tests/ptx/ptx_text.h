// Short helpers from PTX text to the parts that tests examine.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "ptx/parser.h"
#include "ptx/program.h"

namespace warplens::ptx {

inline std::string module_text(const std::string& declarations) {
    return ".version 8.0\n.target sm_90\n.address_size 64\n" + declarations;
}

/// One entry "k" around a body; declares %r0-%r9, %rd0-%rd9, %f0-%f9, %h0-%h9, %p0-%p9.
inline std::string kernel_text(const std::string& body) {
    return module_text(
        ".visible .entry k(.param .u64 a, .param .u32 n)\n{\n"
        ".reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .f32 %f<10>; .reg .b16 %h<10>; .reg .pred %p<10>;\n" +
        body + "\n}\n");
}

inline Module parsed(const std::string& text) {
    auto module = parse(text, "test.ptx");
    if (!module) {
        ADD_FAILURE() << module.error().message;
        return {};
    }
    return *std::move(module);
}

inline std::string error_of(const std::string& text) {
    const auto module = parse(text, "test.ptx");
    return module ? "parsed without error" : module.error().message;
}

inline std::vector<Instruction> instructions_of(const Function& function) {
    std::vector<Instruction> instructions;
    for (const Statement& statement : function.body)
        if (const auto* instruction = std::get_if<Instruction>(&statement))
            instructions.push_back(*instruction);
    return instructions;
}

/// The only instruction of a kernel with this body.
inline Instruction instruction(const std::string& body) {
    const Module module = parsed(kernel_text(body));
    if (module.functions.empty()) return {};
    auto all = instructions_of(module.functions.front());
    if (all.size() != 1) {
        ADD_FAILURE() << "one instruction was expected, found " << all.size();
        return {};
    }
    return all.front();
}

inline Program numbered(const std::string& text, const std::string& entry = "k") {
    auto program = number_sites(parsed(text), entry, text);
    if (!program) {
        ADD_FAILURE() << program.error().message;
        return {};
    }
    return std::move(program->program);
}

}  // namespace warplens::ptx
