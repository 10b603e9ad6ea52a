// Integer and real expressions of a kernel header ("ceil_div(W, TILE)"), in Lua over the parameters. Integers
// are exact 64-bit: a result that wrapped round is an error. docs/kernel_header.md lists what may be written.
#pragma once

#include <cstdint>
#include <string>

#include "core/result.h"
#include "instrumentation/catalog/kernel.h"
#include "instrumentation/catalog/lua_sandbox.h"

namespace warplens::instrumentation {

/// The number a word such as "lcg12345" stands for: the decimal digits at its end. The error says what is
/// allowed.
Result<std::int64_t> number_in_word(const std::string& word);

/// A parameter that is a word with no list of values, such as seed = "lcg12345": expressions see its number.
bool is_numbered_word(const ParameterDeclaration& parameter);

/// What expressions and golden checks see of a parameter.
Result<Value> value_in_expressions(const ParameterDeclaration& parameter, const Value& value);

/// Whether the text is one Lua expression; the error says why not. Any sandbox will do: nothing is called.
Status check_expression(LuaSandbox& sandbox, const std::string& text);

class Expressions {
  public:
    static Result<Expressions> over(const KernelFile& kernel, const Values& parameters);

    /// One more name, or another value of one.
    Status set(const std::string& name, std::int64_t value);

    /// An integer or a real number.
    Result<Value> number(const std::string& text);
    /// A whole number within [least, most].
    Result<std::int64_t> integer(const std::string& text, std::int64_t least, std::int64_t most);

  private:
    Expressions(LuaSandbox exact, LuaSandbox real) : exact_(std::move(exact)), real_(std::move(real)) {}
    LuaSandbox exact_;  // integers as integers
    LuaSandbox real_;   // integers as real numbers, to notice where the exact result wrapped round
};

}  // namespace warplens::instrumentation
