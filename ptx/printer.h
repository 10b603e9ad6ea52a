// Module -> PTX text that ptxas takes and that parse() reads back as the same module. Registers of inner
// scopes are declared at the top of their function; comments and number spellings of the original text are
// gone.
#pragma once

#include <string>

#include "ptx/module.h"

namespace warplens::ptx {

std::string print(const Module& module);

/// One instruction of `function`, guard and semicolon included: "@%p1 st.global.f32 [%rd1+4], %f2;".
std::string print(const Function& function, const Instruction& instruction);

/// ".loc 1 7 0, function_name $L__info_string0, inlined_at 1 2 3"
std::string to_string(const SourceLocation& location);

}  // namespace warplens::ptx
